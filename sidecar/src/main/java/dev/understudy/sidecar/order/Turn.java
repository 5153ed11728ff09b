package dev.understudy.sidecar.order;

/** One lane's place at the gate: it asks about its oldest bytes and is woken when the answer changes. */
public final class Turn {
    private final OrderGate gate;
    private final Runnable wake;

    final long number;

    // guarded by the gate
    boolean waiting;
    long arrivedNanos;
    boolean holding;
    long heldNanos;

    /** Debug was waited for in vain here and has said nothing since; set by the gate, cleared by the lane. */
    volatile boolean mute;

    Turn(OrderGate gate, Runnable wake, long number) {
        this.gate = gate;
        this.wake = wake;
        this.number = number;
    }

    /**
     * Whether bytes that reached production at {@code arrivedNanos} may go to the debug JVM now. After a no, {@code
     * wake} is run once (on any thread) as soon as it is worth asking again.
     */
    public boolean admits(long arrivedNanos) {
        return gate.admits(this, arrivedNanos);
    }

    /** The exchange is of this connection, whose requests debug answers one after the other. */
    public void brings(Ticket ticket) {
        gate.brings(this, ticket);
    }

    /** Debug said something on this connection. */
    public void spoke() {
        if (mute) {
            mute = false;
        }
    }

    /** What the lane has heard of its connection and not told yet begins at {@code nanos}. */
    public void holds(long nanos) {
        gate.holds(this, nanos);
    }

    /** The lane has told all that it heard of. */
    public void holdsNothing() {
        gate.holdsNothing(this);
    }

    /** The lane asks no more, and nobody has to wait for what it holds. */
    public void leave() {
        gate.leave(this);
    }

    void wake() {
        wake.run();
    }
}
