package dev.understudy.aggregator.exchange;

/**
 * What replies belong to that production was given in one transaction: whoever gets one of them gets the others, too.
 *
 * <p>Told apart by identity. Safe for all threads.
 */
public interface ReplyGroup {

    /** A reply of it was recorded, to a request that lasted so ({@code System.nanoTime}). */
    void recorded(long startNanos, long endNanos);

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
