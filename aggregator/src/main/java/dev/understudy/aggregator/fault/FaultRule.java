package dev.understudy.aggregator.fault;

import dev.understudy.aggregator.policy.FormPattern;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Which requests of one upstream suffer which fault, and when. Immutable.
 *
 * @param name its own
 * @param form which requests; null for all, the greeting of a connection included
 * @param percent how many of them, above 0 to 100
 * @param seed decides which of them: the n-th matching request fares the same in every run with the same seed
 * @param at how long after the rule is set it begins
 * @param lasts how long it holds from then; null until it is cleared
 */
public record FaultRule(
        String name,
        String upstream,
        @Nullable FormPattern form,
        double percent,
        long seed,
        Duration at,
        @Nullable Duration lasts,
        Fault fault) {
    public FaultRule {
        if (!(percent > 0 && percent <= 100)) {
            throw new IllegalArgumentException("percent: " + percent + " (expected: above 0, to 100)");
        }
    }

    boolean concerns(String text) {
        return form == null || form.matches(text);
    }
}
