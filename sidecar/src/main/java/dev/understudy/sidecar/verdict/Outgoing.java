package dev.understudy.sidecar.verdict;

import dev.understudy.divergence.compare.VerdictKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the upstream calls that both JVMs made for one exchange compare, by the aggregator's word; secrets are masked
 * already.
 *
 * @param exchange number of the exchange within this process
 * @param kind SAME, DIFFERENT or NOT_COMPARED
 * @param reason why they weren't compared, in the aggregator's word; null if they were
 * @param production calls that production made
 * @param debug calls that debug made
 * @param differences some of them; all if there are few
 * @param guesses calls of debug that were, or may have been, made for it and were answered by a guess
 */
public record Outgoing(
        long exchange,
        VerdictKind kind,
        @Nullable String reason,
        int production,
        int debug,
        List<Call> differences,
        int guesses) {
    public Outgoing {
        differences = List.copyOf(differences);
    }

    /**
     * One difference.
     *
     * @param kind ADDED, LEFT_OUT, CHANGED or REORDERED
     * @param upstream whom the call was made to
     * @param production production's call; null if it made none
     * @param debug the debug JVM's call; null if it made none
     */
    public record Call(
            String kind,
            String upstream,
            @Nullable String production,
            @Nullable String debug) {}
}
