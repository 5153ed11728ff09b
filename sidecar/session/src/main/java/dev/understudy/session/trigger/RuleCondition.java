package dev.understudy.session.trigger;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import org.jspecify.annotations.Nullable;

/** What a rule waits for. */
public sealed interface RuleCondition {
    /**
     * An alert arrives.
     *
     * @param name of the alert; {@code *} for any
     */
    record AlertName(String name) implements RuleCondition {}

    /**
     * So large a share of replies has a status from 500 on.
     *
     * @param share above 0, at most 1
     * @param least replies, before a share says anything
     */
    record ErrorShare(double share, int least) implements RuleCondition {}

    /**
     * A percentile of latency is above a limit.
     *
     * @param percentile above 0, at most 100
     * @param least replies, before a percentile says anything
     */
    record LatencyLimit(double percentile, Duration above, int least) implements RuleCondition {}

    /** So many replies have that status. */
    record StatusCount(int status, int least) implements RuleCondition {}

    /** So many replies have that text in the first 16 KiB of their bodies. */
    record BodyText(String text, int least) implements RuleCondition {}

    /**
     * A sidecar that compares finds a kind of divergence that it hadn't before, as its report groups them.
     *
     * @param sidecar its control port
     * @param token for that; "" for the one that it has generated
     * @param least divergences of that kind
     */
    record NewDivergence(URI sidecar, String token, int least) implements RuleCondition {
        @Override
        public String toString() {
            return "NewDivergence " + sidecar;
        }
    }

    /** So many lines with that text are added to a file. */
    record LogRate(Path file, String text, int least) implements RuleCondition {}

    /**
     * It is time.
     *
     * @param at a time of the day on this machine; null for {@code every}
     * @param every since the watch began; null for {@code at}
     */
    record Schedule(@Nullable LocalTime at, @Nullable Duration every) implements RuleCondition {}
}
