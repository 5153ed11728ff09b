package dev.understudy.relay.lane;

import dev.understudy.relay.stream.StreamEvent;
import dev.understudy.relay.tap.Direction;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * One event of a connection on its way through a lane.
 *
 * @param data owned by whoever holds the entry; null if the event has no bytes
 * @param charge what was reserved for it
 */
record TapEntry(StreamEvent event, @Nullable ByteBuf data, long charge, long nanos) {
    int length() {
        return data == null ? 0 : data.readableBytes();
    }

    Direction direction() {
        return direction(event);
    }

    static Direction direction(StreamEvent event) {
        return event == StreamEvent.REPLY || event == StreamEvent.REPLY_END ? Direction.REPLY : Direction.REQUEST;
    }

    /** Passes the ownership of the bytes on. */
    void tell(LaneObserver observer) {
        if (data != null) {
            observer.data(direction(), data, nanos);
        } else if (event == StreamEvent.CONNECTED) {
            observer.connected(nanos);
        } else {
            observer.end(direction(), nanos);
        }
    }
}
