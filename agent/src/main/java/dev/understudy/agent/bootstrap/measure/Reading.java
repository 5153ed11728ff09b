package dev.understudy.agent.bootstrap.measure;

import java.util.Arrays;

/**
 * What a sampled call is measured with, from its entry to its exit. Confined to the calling thread until it has ended.
 */
public final class Reading {
    private final Meter meter;
    private final long[] begun = new long[Meter.KINDS];
    private final long[] took = new long[Meter.KINDS];
    private boolean begins;

    Reading(Meter meter) {
        this.meter = meter;
        Arrays.fill(took, -1);
    }

    /** The call begins now. */
    public void begin() {
        long start = System.nanoTime();
        begins = meter.read(begun);
        Meter.worked(System.nanoTime() - start, !begins, false);
    }

    /** The call of that probe has ended. */
    public void end(int probe) {
        if (!begins) {
            return;
        }
        begins = false;
        long start = System.nanoTime();
        boolean ended = meter.read(took);
        for (int kind = 0; kind < Meter.KINDS; kind++) {
            long before = begun[kind];
            took[kind] = ended && before >= 0 && took[kind] >= before
                    ? Math.max(0, took[kind] - before - meter.own[kind])
                    : -1;
        }
        Meter.add(probe, took);
        Meter.worked(System.nanoTime() - start, !ended, true);
    }

    /** What the call took of that kind; -1 if it wasn't measured. */
    public long took(int kind) {
        return took[kind];
    }
}
