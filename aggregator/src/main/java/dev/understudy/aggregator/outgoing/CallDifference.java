package dev.understudy.aggregator.outgoing;

import org.jspecify.annotations.Nullable;

/**
 * One way in which the debug JVM's upstream calls for an inbound exchange weren't production's.
 *
 * @param upstream whom the call was made to; the later one's, if two changed places
 * @param production production's call in words; null if it made none. If two changed places, the one that came first
 *     there
 * @param debug the debug JVM's call in words; null if it made none. If two changed places, the one that came first
 *     there
 */
public record CallDifference(
        Kind kind,
        String upstream,
        @Nullable String production,
        @Nullable String debug) {

    /** What is different. */
    public enum Kind {
        /** Debug made a call that production didn't make. */
        ADDED,
        /** Production made a call that debug didn't make. */
        LEFT_OUT,
        /** Debug made a call of the same family instead of production's, with another content. */
        CHANGED,
        /** Debug made two calls in the other order, each after the one before had been answered. */
        REORDERED
    }
}
