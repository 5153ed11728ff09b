package dev.understudy.relay;

/** Says when the next cue may go to the debug JVM: the place where an order mode is enforced. Lane-loop confined. */
@FunctionalInterface
public interface Gate {
    /** Lets every cue pass at once. */
    Gate OPEN = cue -> true;

    /**
     * Whether {@code cue} may be delivered now. Asked for the oldest cue only, and again at each
     * {@link Deliverer#pump()}: whoever opens the gate pumps.
     */
    boolean admits(Cue cue);
}
