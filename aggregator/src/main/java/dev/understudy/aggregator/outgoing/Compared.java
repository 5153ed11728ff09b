package dev.understudy.aggregator.outgoing;

import dev.understudy.divergence.compare.VerdictKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The upstream calls that both JVMs made for one inbound exchange, compared.
 *
 * @param inbound the sidecar's number of the exchange
 * @param kind SAME, DIFFERENT or NOT_COMPARED
 * @param reason why not, if it wasn't compared; null if it was
 * @param production calls that production made, as far as it is known that they are this exchange's
 * @param debug calls that debug made, likewise
 * @param differences at most {@value #MOST}, none of what wasn't compared
 * @param omitted differences beyond these
 * @param guesses calls that debug made, or may have made, for this exchange and that were answered by a guess
 */
public record Compared(
        long inbound,
        VerdictKind kind,
        @Nullable Uncompared reason,
        int production,
        int debug,
        List<CallDifference> differences,
        int omitted,
        int guesses) {
    static final int MOST = 16;

    static Compared of(long inbound, int production, int debug, List<CallDifference> differences, int guesses) {
        VerdictKind kind = differences.isEmpty() ? VerdictKind.SAME : VerdictKind.DIFFERENT;
        int told = Math.min(MOST, differences.size());
        return new Compared(
                inbound,
                kind,
                null,
                production,
                debug,
                List.copyOf(differences.subList(0, told)),
                differences.size() - told,
                guesses);
    }

    static Compared not(long inbound, Uncompared reason, int production, int debug, int guesses) {
        return new Compared(inbound, VerdictKind.NOT_COMPARED, reason, production, debug, List.of(), 0, guesses);
    }
}
