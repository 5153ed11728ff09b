package dev.understudy.aggregator.record;

import java.nio.ByteBuffer;

/**
 * Cuts one production connection into exchanges. Called in the order of the bytes, on the connection's lane loop.
 *
 * <p>The buffers are valid during the call only. An exception ends the recording of the connection, as
 * {@link Unrecorded#INTERNAL}, and nothing else.
 */
public interface ConnectionRecorder {

    /** Bytes that production sent. */
    void request(ByteBuffer data, long nanos);

    /** Bytes that the upstream sent. */
    void reply(ByteBuffer data, long nanos);

    /** Production sends nothing more. */
    default void requestEnd(long nanos) {}

    /** The upstream sends nothing more (which completes an HTTP reply without a length). */
    default void replyEnd(long nanos) {}

    /** Bytes that this recorder holds of exchanges that aren't complete. */
    default long heldBytes() {
        return 0;
    }

    /**
     * Nothing follows: the connection is closed. Exchanges that aren't complete
     * are to be counted with {@link Recording#dropped}.
     */
    void closed(long nanos);

    /** As {@link #closed}, but the connection goes on: what it is told from here on isn't known. */
    default void lost(long nanos) {
        closed(nanos);
    }
}
