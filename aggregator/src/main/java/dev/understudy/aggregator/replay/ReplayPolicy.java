package dev.understudy.aggregator.replay;

import java.time.Duration;

/**
 * How debug requests without a recorded reply are treated.
 *
 * @param patience how long a request waits for production's reply to be recorded; zero not at all
 * @param repeatLast whether a read then gets the last reply of its form again, instead of an error
 */
public record ReplayPolicy(Duration patience, boolean repeatLast) {
    public ReplayPolicy {
        if (patience.isNegative()) {
            throw new IllegalArgumentException("wait: " + patience + " (expected: >= 0)");
        }
    }
}
