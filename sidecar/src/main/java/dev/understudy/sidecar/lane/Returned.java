package dev.understudy.sidecar.lane;

import dev.understudy.relay.lane.LossReason;
import io.netty.buffer.ByteBuf;

/** Receives what comes back from the debug JVM on one way to it, and the one end. Called on the lane loop. */
interface Returned {
    /** Takes ownership of {@code data}. */
    void debugReply(ByteBuf data, long nanos);

    void debugReplyEnd(long nanos);

    void debugGone(LossReason reason, long nanos);
}
