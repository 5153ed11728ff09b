package dev.understudy.agent.flight;

import dev.understudy.agent.bootstrap.Probes;
import dev.understudy.agent.bootstrap.Timings;
import dev.understudy.agent.weave.Probe;
import dev.understudy.agent.weave.ProbeDirectory;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Commits a {@link CallsEvent} of each of those methods that were called most since the last time. Confined to the
 * thread that ticks.
 */
final class CallCounts {
    private static final int MOST = 200;
    /** Ticks come ten times a second. */
    private static final int TICKS = 50;

    private final ProbeDirectory directory;
    private int ticks;
    private int known;
    private int[] hits = {};
    private int[] samples = {};
    private long[] nanos = {};

    CallCounts(ProbeDirectory directory) {
        this.directory = directory;
    }

    void tick() {
        if (ticks++ % TICKS != 0) {
            return;
        }
        if (!new CallsEvent().isEnabled()) {
            known = 0; // what was called while nothing was recorded isn't of the recording
            return;
        }
        int probes = directory.probes();
        int[] hitsNow = new int[probes];
        int[] samplesNow = new int[probes];
        long[] nanosNow = new long[probes];
        Probes.hits(probes, hitsNow);
        for (int probe = 1; probe < probes; probe++) {
            samplesNow[probe] = Timings.samples(probe);
            nanosNow[probe] = Timings.nanos(probe);
        }
        if (known > 0) {
            commit(probes, hitsNow, samplesNow, nanosNow);
        }
        known = probes;
        hits = hitsNow;
        samples = samplesNow;
        nanos = nanosNow;
    }

    private void commit(int probes, int[] hitsNow, int[] samplesNow, long[] nanosNow) {
        PriorityQueue<Integer> most =
                new PriorityQueue<>(Comparator.comparingInt(probe -> hitsNow[probe] - hits(probe)));
        for (int probe = 1; probe < probes; probe++) {
            if (hitsNow[probe] != hits(probe)) {
                most.add(probe);
                if (most.size() > MOST) {
                    most.poll();
                }
            }
        }
        for (int probe : most) {
            Probe called = directory.probe(probe);
            CallsEvent event = new CallsEvent();
            event.method = called.className() + '.' + called.method();
            event.calls = hitsNow[probe] - hits(probe);
            event.sampled = samplesNow[probe] - (probe < known ? samples[probe] : 0);
            event.time = nanosNow[probe] - (probe < known ? nanos[probe] : 0);
            event.commit();
        }
    }

    /** Before; a method that was woven since then hadn't been called. */
    private int hits(int probe) {
        return probe < known ? hits[probe] : 0;
    }
}
