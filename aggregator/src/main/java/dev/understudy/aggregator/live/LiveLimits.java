package dev.understudy.aggregator.live;

import java.time.Duration;

/**
 * What the debug JVM's calls may cost a running server.
 *
 * @param connections how many there are at a time, at least 1
 * @param waiting how many calls may wait for one, at least 0
 * @param perSecond how many begin in a second, at least 1
 * @param time how long one may take from its first moment to the end of its reply
 * @param replyBytes the longest reply, with its head, at least 1
 */
public record LiveLimits(int connections, int waiting, int perSecond, Duration time, int replyBytes) {
    /** Little beside what a service does by itself. */
    public static final LiveLimits DEFAULT = new LiveLimits(4, 64, 50, Duration.ofSeconds(5), 4 << 20);

    /** Nobody else uses a stand-in. What is bounded is the work of this process. */
    public static final LiveLimits STANDIN = new LiveLimits(16, 256, 500, Duration.ofSeconds(5), 4 << 20);

    public LiveLimits {
        if (connections < 1 || waiting < 0 || perSecond < 1 || time.toMillis() < 1 || replyBytes < 1) {
            throw new IllegalArgumentException("live: " + connections + ", " + waiting + ", " + perSecond + ", " + time
                    + ", " + replyBytes + " (expected: at least 1, 0, 1, 1 ms, 1)");
        }
    }
}
