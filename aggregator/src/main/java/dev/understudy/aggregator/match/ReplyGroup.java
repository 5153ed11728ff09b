package dev.understudy.aggregator.match;

import dev.understudy.divergence.content.ValueWords;

/**
 * What replies belong to that production was given in one transaction: whoever gets one of them gets the others, too.
 *
 * <p>Told apart by identity. Safe for all threads.
 */
public interface ReplyGroup {

    /**
     * A reply of it was recorded.
     *
     * @param startNanos when its request began ({@code System.nanoTime})
     * @param endNanos when it ended
     * @param said stands for request and reply
     */
    void recorded(long startNanos, long endNanos, long said);

    /** Stands for all its requests and replies in their order: equal where nothing tells two of them apart. */
    long said();

    /** These values stand in one of its requests and the reply to that. */
    void recorded(ValueWords words);

    /** Adds the values that stand in its requests and replies; fills it if those of one aren't known. */
    void addTo(ValueWords words);

    /** When the first recorded request of it began; {@link Long#MAX_VALUE} before one is recorded. */
    long startNanos();

    /** When the last recorded reply of it ended; {@link Long#MIN_VALUE} before one is recorded. */
    long endNanos();

    /** Whether nothing more will be asked in it. */
    boolean isOver();

    /** A reply of it was given to the debug JVM. */
    void given();

    /** Whether one was. */
    boolean isGiven();
}
