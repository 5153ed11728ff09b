package dev.understudy.relay.deliver;

import dev.understudy.relay.lane.LossReason;
import io.netty.buffer.ByteBuf;

/** Is told what happens on the debug socket of one lane; all calls come from the lane's event loop. */
public interface DebugObserver {
    /** The debug JVM accepted the connection. */
    void connected();

    /**
     * The cue was written to the socket in full. A {@link DebugEvent.Bytes} has been released by then: don't touch its
     * data.
     */
    void delivered(DebugEvent cue, long nanos);

    /** Bytes the debug JVM sent. Takes ownership of {@code data}. */
    void reply(ByteBuf data, long nanos);

    /** The debug JVM sent its FIN: no more replies. It may still read. */
    void replyEnd(long nanos);

    /**
     * The debug JVM is gone while there was more to tell it. The window isn't closed yet: what waits there may be taken
     * out of it in this call. {@link #closed} follows.
     */
    default void gone(LossReason reason, long nanos) {}

    /**
     * The lane's debug side is over, and its window is closed; nothing follows. Called exactly once.
     *
     * @param reason {@link LossReason#NONE} if every cue up to {@link DebugEvent.Close} or {@link DebugEvent.Reset} was
     *     delivered, or the connection has ended both ways before those came
     */
    void closed(LossReason reason, long nanos);
}
