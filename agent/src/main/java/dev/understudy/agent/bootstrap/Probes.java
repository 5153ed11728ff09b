package dev.understudy.agent.bootstrap;

import dev.understudy.agent.bootstrap.measure.Meter;
import dev.understudy.agent.bootstrap.measure.Quotas;
import dev.understudy.agent.bootstrap.measure.Reading;
import java.util.Arrays;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;
import org.jspecify.annotations.Nullable;

/**
 * What a place-holder does behind an open gate: count the call, and now and then time it.
 *
 * <p>Each probe has per stripe of threads two plain numbers side by side: how often it was hit, and the hit at which
 * the next sample is due. The distance between samples is drawn from a geometric distribution with the probe's period
 * as its mean, so whether a call is sampled is known before any clock is read. Counters may lose a call when two
 * threads of one stripe meet; that is cheaper than any way to prevent it. What samples took goes to {@link Timings}.
 *
 * <p>The first calls of every probe are sampled whatever its period is. That shows what was covered, and the JIT has
 * seen the sampled path before the probe is armed, so arming it later invalidates no code. It is that path, too, that
 * the JIT must not copy into every woven method: what is rare is {@link DontInline}. What a place-holder calls last is
 * {@link ForceInline}, so that nothing is left of it behind a closed gate, however large the caller is and although a
 * method hardly ever throws.
 */
public final class Probes {
    /** How many probes there can be. */
    public static final int CAPACITY = 1 << 15;
    /** How many first calls of a probe are sampled always. */
    public static final int TRAINING = 3;
    /** The most calls of one exchange that become spans. */
    public static final int SPANS_PER_EXCHANGE = 256;

    static final int STRIPES =
            Integer.highestOneBit(Math.max(8, Math.min(32, Runtime.getRuntime().availableProcessors() * 4)));
    private static final int NEVER = 1 << 30;
    private static final int SPREAD = 8;
    private static final long MEASURE_MASK = 15;

    /** Per stripe and probe: hits, and the hit at which a sample is due (0: not drawn yet). */
    private static final int[] CELLS = new int[STRIPES * CAPACITY * 2];
    /** Mean distance between two samples in hits; 0: not armed. */
    private static final int[] PERIODS = new int[CAPACITY];
    /** Whose calls aren't even counted, in classes without a gate. */
    private static final boolean[] UNSEEN = new boolean[CAPACITY];

    /** What a sample is taken to cost its exchange, in nanoseconds; 0 if that isn't known. */
    private static final float[] PRICES = new float[CAPACITY];

    private static final byte[] TRAINED = new byte[CAPACITY];
    private static final long[] SEEDS = new long[STRIPES * SPREAD];

    static {
        seed(System.nanoTime());
    }

    private Probes() {}

    /** Begins the drawing of distances anew. */
    static void seed(long seed) {
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            SEEDS[stripe * SPREAD] = (seed + stripe) * 0x9E3779B97F4A7C15L | 1;
        }
    }

    /** As {@link #seen}, of a class that has no gate: whether the probe is to be seen at all is looked up. */
    public static @Nullable Object enter(int probe) {
        return UNSEEN[probe] ? null : seen(probe);
    }

    /** Counts a call; what it returns is non-null if the call is sampled or observed, and goes to {@link #exit}. */
    static @Nullable Object seen(int probe) {
        int thread = Threads.id();
        int cell = (stripe(thread) * CAPACITY + probe) * 2;
        int[] cells = CELLS;
        int hits = cells[cell] + 1;
        cells[cell] = hits;
        Observation observation = Observations.on(thread);
        if (observation != null) {
            return observed(observation, probe, cell, hits);
        }
        if (hits - cells[cell + 1] < 0) {
            return null;
        }
        return due(probe, cell, hits);
    }

    /** Ends a call that returns nothing. */
    @ForceInline
    public static void exit(@Nullable Object token) {
        if (token != null) {
            end(token, 0, null);
        }
    }

    /** Ends a call that returns an object. */
    @ForceInline
    public static void exit(@Nullable Object value, @Nullable Object token) {
        if (token != null) {
            end(token, token instanceof CallSample ? 0 : ObservedPredicate.of(value), null);
        }
    }

    /** Ends a call that returns a truth value. */
    @ForceInline
    public static void exit(boolean value, @Nullable Object token) {
        if (token != null) {
            end(token, ObservedPredicate.of(value), null);
        }
    }

    /** Ends a call that returns an int, short, byte or char. */
    @ForceInline
    public static void exit(int value, @Nullable Object token) {
        if (token != null) {
            end(token, ObservedPredicate.of(value), null);
        }
    }

    /** Ends a call that returns a long. */
    @ForceInline
    public static void exit(long value, @Nullable Object token) {
        if (token != null) {
            end(token, ObservedPredicate.of(Long.signum(value)), null);
        }
    }

    /** Ends a call that returns a float. */
    @ForceInline
    public static void exit(float value, @Nullable Object token) {
        exit((double) value, token);
    }

    /** Ends a call that returns a double; one that is no number has no sign. */
    @ForceInline
    public static void exit(double value, @Nullable Object token) {
        if (token != null) {
            end(token, Double.isNaN(value) ? 0 : ObservedPredicate.of(value > 0 ? 1 : value < 0 ? -1 : 0), null);
        }
    }

    /** Ends a call that throws. */
    @ForceInline
    public static void thrown(Throwable problem, @Nullable Object token) {
        if (token != null) {
            end(token, 1 << ObservedPredicate.THREW, problem);
        }
    }

    /** Where the calls of the thread with that id are counted. */
    static int stripe(int thread) {
        return thread & (STRIPES - 1);
    }

    @DontInline
    private static @Nullable Object observed(Observation observation, int probe, int cell, int hits) {
        try {
            CallSample sample = hits - CELLS[cell + 1] < 0 ? null : due(probe, cell, hits);
            return observation.thread == Thread.currentThread() ? observation.enter(probe, sample) : sample;
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return null;
        }
    }

    @DontInline
    private static void end(Object token, int mask, @Nullable Throwable thrown) {
        CallSample sample;
        if (token instanceof Observation.Frame) {
            Observation.Frame frame = (Observation.Frame) token;
            sample = frame.sample;
            try {
                frame.observation.exit(frame, mask);
            } catch (Throwable problem) {
                AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
                // the observation lacks something, the call goes on
            }
        } else {
            sample = (CallSample) token;
        }
        if (sample != null) {
            end(sample, thrown);
        }
    }

    @DontInline
    private static @Nullable CallSample due(int probe, int cell, int hits) {
        try {
            int trained = TRAINED[probe];
            if (trained < TRAINING) {
                TRAINED[probe] = (byte) (trained + 1);
                CELLS[cell + 1] = hits + 1;
                return begin(probe, cell, true);
            }
            int period = PERIODS[probe];
            if (period == 0) {
                CELLS[cell + 1] = hits + NEVER;
                return null;
            }
            if (Quotas.take(probe)) {
                CELLS[cell + 1] = Quotas.has(probe) ? hits : hits + gap(period, cell);
                return begin(probe, cell, true);
            }
            boolean drawn = CELLS[cell + 1] == hits; // else it was due for the sake of the quota
            int gap = gap(period, cell);
            CELLS[cell + 1] = drawn ? hits + gap : Math.max(hits - 1 + gap, hits + 1);
            if ((!drawn && gap > 1) || !Credit.take(cell / (CAPACITY * 2))) {
                return null;
            }
            return begin(probe, cell, false);
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return null;
        }
    }

    private static CallSample begin(int probe, int cell, boolean rare) {
        long random = random(cell);
        Reading reading = Meter.admit(random >>> 32, rare);
        boolean measured = reading == null && (random & MEASURE_MASK) == 0;
        long self = measured ? System.nanoTime() : 0;
        ServedExchange exchange = ServedExchanges.current();
        if (exchange != null) {
            exchange.overheadNanos += PRICES[probe] + (reading == null ? 0 : Meter.price());
        }
        if (exchange == null || exchange.traceId() == null) {
            ServedExchange told = OtherAgent.current();
            exchange = told == null ? exchange : told;
        }
        CallSample sample;
        if (exchange == null || !exchange.admitsSpan(SPANS_PER_EXCHANGE)) {
            sample = new CallSample(probe, null, null, 0);
        } else {
            // threads of one stripe may draw the same number
            long spanId = random ^ Threads.id(Thread.currentThread()) * 0x9E3779B97F4A7C15L;
            sample = new CallSample(probe, exchange, exchange.top, spanId);
            exchange.top = sample;
        }
        sample.flight = Flight.callBegins();
        if (reading != null) {
            sample.reading = reading;
            reading.begin();
        }
        sample.startNanos = System.nanoTime();
        sample.selfNanos = measured ? sample.startNanos - self : -1;
        return sample;
    }

    @DontInline
    private static void end(CallSample sample, @Nullable Throwable thrown) {
        long now = System.nanoTime();
        try {
            if (sample.endNanos != 0) {
                return; // a stack overflow inside the first attempt
            }
            sample.endNanos = now;
            int probe = sample.probe;
            Reading reading = sample.reading;
            if (reading != null) {
                reading.end(probe);
            }
            if (thrown != null) {
                sample.thrown = thrown.getClass().getName();
            }
            Timings.took(probe, now - sample.startNanos);
            Flight.callEnds(sample.flight, probe, reading);
            Witness.ended(sample);
            ServedExchange exchange = sample.exchange;
            if (exchange != null) {
                exchange.top = sample.parent;
                Samples.offer(sample);
            }
            if (sample.selfNanos >= 0) {
                Timings.ownWork(probe, sample.selfNanos + System.nanoTime() - now);
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // the sample is lost, the call goes on
        }
    }

    /** A geometrically distributed distance of at least 1 with mean {@code period}. */
    static int gap(int period, int cell) {
        if (period <= 1) {
            return 1;
        }
        // 1/ln(1 - 1/k) = -(k - 1/2 - 1/12k - 1/24k² - …)
        double mean = period - 0.5 - (1 + 0.5 / period) / (12.0 * period);
        double uniform = ((random(cell) >>> 11) + 1) * 0x1p-53;
        return 1 + (int) Math.min(-Math.log(uniform) * mean, NEVER - 1);
    }

    private static long random(int cell) {
        int slot = cell / (CAPACITY * 2) * SPREAD;
        long x = SEEDS[slot];
        x ^= x << 13;
        x ^= x >>> 7;
        x ^= x << 17;
        SEEDS[slot] = x;
        return x * 0x2545F4914F6CDD1DL;
    }

    /**
     * Sets a probe's mean distance between samples; 0 disarms it. Takes effect at once when it shrinks, with the
     * next sample when it grows.
     */
    public static void arm(int probe, int period) {
        int before = PERIODS[probe];
        PERIODS[probe] = period;
        if (period == 0 || (before != 0 && period >= before - before / 4)) {
            return;
        }
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            int cell = (stripe * CAPACITY + probe) * 2;
            if (CELLS[cell + 1] != 0) {
                CELLS[cell + 1] = CELLS[cell] + (Quotas.has(probe) ? 0 : gap(period, cell));
            }
        }
    }

    /**
     * Whether the probe's calls are seen in a class that has no gate ({@link Gates#leaveOut} for those that have one):
     * if not, nothing is done with them, not even counting, and no exchange that goes on meanwhile is told of as whole.
     */
    public static void see(int probe, boolean seen) {
        if (UNSEEN[probe] == seen) {
            Gates.changed();
            UNSEEN[probe] = !seen;
            Gates.changed();
        }
    }

    /** Has the next call of each probe below {@code probes} whose quota isn't used up ask for it. */
    public static void hasten(int probes) {
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            for (int probe = 1; probe < probes; probe++) {
                int cell = (stripe * CAPACITY + probe) * 2;
                int hits = CELLS[cell];
                if (CELLS[cell + 1] - hits > 0 && PERIODS[probe] != 0 && Quotas.has(probe)) {
                    CELLS[cell + 1] = hits;
                }
            }
        }
    }

    /** Sets what a sample of the probe is taken to cost its exchange, in nanoseconds. */
    public static void price(int probe, double sampleNanos) {
        PRICES[probe] = (float) sampleNanos;
    }

    /** The probe's mean distance between samples; 0 when it isn't armed. */
    public static int period(int probe) {
        return PERIODS[probe];
    }

    /** The low 32 bits of how often the probe was hit while its gate was open. */
    public static int hits(int probe) {
        int hits = 0;
        for (int cell = probe * 2; cell < CELLS.length; cell += CAPACITY * 2) {
            hits += CELLS[cell];
        }
        return hits;
    }

    /**
     * As {@link #hits(int)} of all below {@code probes}, as they stand in memory: one by one takes some ten times as
     * long.
     */
    public static void hits(int probes, int[] into) {
        Arrays.fill(into, 0, probes, 0);
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            int cell = stripe * CAPACITY * 2;
            for (int probe = 0; probe < probes; probe++) {
                into[probe] += CELLS[cell + 2 * probe];
            }
        }
    }
}
