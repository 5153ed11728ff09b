package dev.understudy.sidecar.order;

/** One lane's place at the gate: it asks about its oldest bytes and is woken when the answer changes. */
public final class Turn {
    private final OrderGate gate;
    private final Runnable wake;

    // guarded by the gate
    boolean waiting;
    long arrivedNanos;

    Turn(OrderGate gate, Runnable wake) {
        this.gate = gate;
        this.wake = wake;
    }

    /**
     * Whether bytes that reached production at {@code arrivedNanos} may go to the debug JVM now. After a no, {@code
     * wake} is run once (on any thread) as soon as it is worth asking again.
     */
    public boolean admits(long arrivedNanos) {
        return gate.admits(this, arrivedNanos);
    }

    /** The lane asks no more. */
    public void leave() {
        gate.leave(this);
    }

    void wake() {
        wake.run();
    }
}
