package dev.understudy.sidecar.trace;

import java.time.Instant;

/** Turns {@code System.nanoTime()} stamps into wall-clock time, by one reading of both at the start. Immutable. */
public final class WallClock {
    private final Instant start;
    private final long startNanos;

    public WallClock(Instant start, long startNanos) {
        this.start = start;
        this.startNanos = startNanos;
    }

    /** A clock that is right now. */
    public static WallClock now() {
        return new WallClock(Instant.now(), System.nanoTime());
    }

    /** The wall-clock time of a stamp. */
    public Instant at(long nanos) {
        return start.plusNanos(nanos - startNanos);
    }
}
