package dev.understudy.aggregator.policy;

import java.time.Duration;

/**
 * How a debug call is treated for which nothing is recorded.
 *
 * @param patience how long it waits for production's reply to be recorded; zero not at all
 * @param miss what it gets then
 */
public record MissPolicy(Duration patience, Miss miss) {
    public MissPolicy {
        if (patience.isNegative()) {
            throw new IllegalArgumentException("wait: " + patience + " (expected: >= 0)");
        }
    }
}
