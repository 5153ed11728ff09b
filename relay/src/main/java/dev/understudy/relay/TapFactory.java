package dev.understudy.relay;

import io.netty.buffer.ByteBuf;

/**
 * Makes the tap of each accepted connection.
 *
 * <p>Called on the connection's relay event loop, so it must not block; a factory that throws leaves that connection
 * without a tap and is counted.
 */
@FunctionalInterface
public interface TapFactory {
    /** Copies nothing. */
    TapFactory NONE = connection -> new Tap() {
        @Override
        public void data(Direction direction, ByteBuf data, long nanos) {
            data.release();
        }

        @Override
        public void end(Direction direction, long nanos) {}

        @Override
        public void closed(CloseReason reason, long nanos) {}
    };

    /** The tap of {@code connection}, whose production side isn't connected yet. */
    Tap open(Connection connection);
}
