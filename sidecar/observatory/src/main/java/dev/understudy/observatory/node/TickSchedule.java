package dev.understudy.observatory.node;

/**
 * When samples are due: at a start and at multiples of a period after it, whatever each takes. Those that were missed
 * are left out. Immutable; all times are of {@code System.nanoTime}.
 */
final class TickSchedule {
    private final long start;
    private final long period;

    TickSchedule(long start, long period) {
        this.start = start;
        this.period = period;
    }

    /** The first moment of the schedule that is later than this one. */
    long after(long nanos) {
        return nanos < start ? start : nanos + period - (nanos - start) % period;
    }
}
