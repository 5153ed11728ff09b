package dev.understudy.sidecar.lane;

import dev.understudy.relay.deliver.DebugEvent;
import dev.understudy.relay.lane.LossReason;
import io.netty.buffer.ByteBuf;

/** Receives what comes back from the debug JVM on one way to it, and the one end. Called on the lane loop. */
interface DebugReplyObserver {
    /**
     * Debug is told {@code cue} now, which stays as it is.
     *
     * @param port the sidecar's own, of that connection; 0 if debug doesn't see the bytes of the cues as they are
     * @param before how many bytes debug was told there before the first cue's
     */
    void told(DebugEvent cue, int port, int before);

    /** Takes ownership of {@code data}. */
    void debugReply(ByteBuf data, long nanos);

    void debugReplyEnd(long nanos);

    /**
     * The way is over. Called once.
     *
     * @param rest what may go on another way
     * @return whether it does; else it is lost
     */
    boolean debugGone(LossReason reason, long nanos, Remainder rest);
}
