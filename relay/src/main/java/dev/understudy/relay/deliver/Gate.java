package dev.understudy.relay.deliver;

import io.netty.buffer.ByteBuf;

/** Says when the next cue may go to the debug JVM: the place where an order mode is enforced. Lane-loop confined. */
@FunctionalInterface
public interface Gate {
    /** Lets every cue pass at once. */
    Gate OPEN = cue -> true;

    /**
     * Whether {@code cue} may be delivered now. Asked for the oldest cue only, and again at each
     * {@link Deliverer#pump()}: whoever opens the gate pumps.
     */
    boolean admits(DebugEvent cue);

    /**
     * What is to be written for {@code cue}, asked once when it is delivered: the debug JVM may have to see other
     * values than production where each made up its own. Takes ownership of the cue's bytes and gives up that of the
     * result.
     */
    default ByteBuf outgoing(DebugEvent.Bytes cue) {
        return cue.data();
    }
}
