package dev.understudy.agent.budget;

import dev.understudy.agent.bootstrap.Probes;
import dev.understudy.agent.bootstrap.Timings;

/**
 * How often each probe is hit per second, quick to rise and slow to fall, and how often it was in all.
 *
 * <p>Guarded by the {@link Governor}.
 */
final class Rates {
    private static final double RISE = 0.6;
    private static final double FALL_PER_SECOND = 1;

    private final int[] now = new int[Probes.CAPACITY];
    private final int[] seen = new int[Probes.CAPACITY];
    private final int[] sampled = new int[Probes.CAPACITY];
    private final long[] hits = new long[Probes.CAPACITY];
    private final double[] perSecond = new double[Probes.CAPACITY];

    /** Rates from now on; what was hit before counts among the hits, but says nothing about how often. */
    Rates(int probes) {
        for (int probe = 1; probe < probes; probe++) {
            seen[probe] = Probes.hits(probe);
            hits[probe] = Integer.toUnsignedLong(seen[probe]);
            sampled[probe] = Timings.samples(probe);
        }
    }

    /** Takes in the hits of the last {@code seconds}; what they cost, in nanoseconds, is returned. */
    double learn(int probes, double seconds, Costs costs) {
        double fall = 1 - Math.exp(-FALL_PER_SECOND * seconds);
        double nanos = 0;
        Probes.hits(probes, now);
        for (int probe = 1; probe < probes; probe++) {
            int more = now[probe] - seen[probe];
            if (more == 0 && perSecond[probe] == 0) {
                continue;
            }
            seen[probe] = now[probe];
            more = Math.max(0, more);
            hits[probe] += more;
            double rate = more / seconds;
            double before = perSecond[probe];
            double after = before + (rate > before ? RISE : fall) * (rate - before);
            perSecond[probe] = after < 1e-3 ? 0 : after;
            nanos += more * costs.countNanos();
            int samples = Timings.samples(probe) - sampled[probe];
            sampled[probe] += samples;
            nanos += samples * costs.sampleNanos(probe);
            costs.learn(probe);
        }
        return nanos;
    }

    double perSecond(int probe) {
        return perSecond[probe];
    }

    long hits(int probe) {
        return hits[probe];
    }
}
