package dev.understudy.sidecar.inbound;

import dev.understudy.divergence.content.WordFilter;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of one inbound exchange at one moment. Times are {@code System.nanoTime()}, or {@link #NOT_YET}.
 *
 * @param id its number in this process
 * @param clientTrace the {@code traceparent} that the client sent, as it was sent; null if it sent none
 * @param debugTrace the trace id that the debug JVM is told; null if it is told none
 * @param shown the values that stand in production's reply; null but when that ends, and if nobody wants to know
 * @param arrived when its first byte came
 * @param replied when production's reply ended, or was known not to come
 * @param handed when the debug JVM was given it
 * @param done when the debug JVM was done with it, or given up, or left out
 */
public record InboundState(
        long id,
        @Nullable String clientTrace,
        @Nullable String debugTrace,
        @Nullable WordFilter shown,
        long arrived,
        long replied,
        long handed,
        long done) {
    /** It hasn't happened. */
    public static final long NOT_YET = Long.MIN_VALUE;
}
