package dev.understudy.sidecar.tee;

import dev.understudy.relay.tap.TapFactory;
import org.jspecify.annotations.Nullable;

/**
 * One listener's tee switch, and what is sampled while it is on: turned by an operator, read by relay and lane loops
 * without a lock.
 *
 * <p>Turning is guarded by {@code this}; the fields are volatile so that reading needs nothing.
 */
public final class TeeSwitch {
    private volatile TeeMode mode;
    private volatile Sampling sampling;
    private volatile int epoch;
    private volatile long deliveringSince;
    private volatile boolean awaitsSnapshot;
    private volatile @Nullable SnapshotMoment snapshot;
    private int epochs;

    /** @param now nanoseconds, as all times here */
    public TeeSwitch(TeeMode mode, Sampling sampling, long now) {
        this.mode = mode;
        this.sampling = sampling;
        this.epoch = mode == TeeMode.OFF ? TapFactory.OFF : ++epochs;
        this.deliveringSince = now;
    }

    /**
     * Pauses it until the moment of a snapshot is known: connections' input is kept as it is, and nothing is decided.
     * Says whether that changed anything.
     */
    synchronized boolean awaitSnapshot(long now) {
        boolean changed = !awaitsSnapshot;
        awaitsSnapshot = true;
        return turn(TeeMode.PAUSED, now) || changed;
    }

    /** Turns it on for a debug JVM that began with a snapshot of that moment. */
    synchronized boolean begin(SnapshotMoment moment, long now) {
        snapshot = moment;
        return turn(TeeMode.ON, now);
    }

    /** Turns it; says whether that changed anything. */
    public synchronized boolean turn(TeeMode to, long now) {
        if (to != TeeMode.PAUSED) {
            awaitsSnapshot = false;
        }
        TeeMode from = mode;
        if (from == to) {
            return false;
        }
        if (to == TeeMode.ON) {
            deliveringSince = now;
        }
        mode = to;
        if (to == TeeMode.OFF) {
            epoch = TapFactory.OFF;
        } else if (from == TeeMode.OFF) {
            epoch = ++epochs;
        }
        return true;
    }

    /** Chooses from here on: requests of all connections, and connections that are accepted or joined. */
    public void sample(Sampling chosen) {
        sampling = chosen;
    }

    /** Which part is copied. */
    public Sampling sampling() {
        return sampling;
    }

    /** What it stands at. */
    public TeeMode mode() {
        return mode;
    }

    /** Whether the debug JVM is to be given nothing for now. */
    public boolean holdsBack() {
        return mode == TeeMode.PAUSED;
    }

    /** Whether input is kept until the moment of a snapshot is known. */
    public boolean awaitsSnapshot() {
        return awaitsSnapshot;
    }

    /** With what the debug JVM began; null if it began without a snapshot, or nobody said. */
    public @Nullable SnapshotMoment snapshot() {
        return snapshot;
    }

    /** Since when the debug JVM may be given something, if it may. */
    public long deliveringSince() {
        return deliveringSince;
    }

    /** See {@link TapFactory#epoch}. */
    int epoch() {
        return epoch;
    }
}
