package dev.understudy.relay.tap;

import io.netty.buffer.ByteBuf;

/**
 * Receives the copy of one relayed connection, in order.
 *
 * <p>On the relay's side all calls come from the connection's relay event loop, after the bytes were flushed to their
 * real receiver, and must not block. Whatever a tap throws is counted and ends the copy, never the connection.
 *
 * <p>Times are {@link System#nanoTime()} at the moment the event was seen on the relay's event loop.
 */
public interface Tap {
    /** Production accepted the connection: data may follow. Not called when connecting failed. */
    default void connected(long nanos) {}

    /** Takes ownership of {@code data}. */
    void data(Direction direction, ByteBuf data, long nanos);

    /** The sender in that direction sent its FIN; nothing follows in that direction. */
    void end(Direction direction, long nanos);

    /**
     * So many bytes were lost between the relay and here: what follows comes after a hole. Only where both are
     * processes of their own.
     */
    default void lost(long requestBytes, long replyBytes, long nanos) {}

    /**
     * Whether to go on. A tap that says no is told {@link #closed} with {@link CloseReason#UNTAPPED} at the next event.
     * Asked before each read: no more than a read of a volatile.
     */
    default boolean wantsMore() {
        return true;
    }

    /** Nothing follows. Called exactly once. */
    void closed(CloseReason reason, long nanos);
}
