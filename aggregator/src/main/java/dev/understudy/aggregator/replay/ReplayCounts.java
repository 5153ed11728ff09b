package dev.understudy.aggregator.replay;

import dev.understudy.aggregator.fault.Fault;
import dev.understudy.aggregator.fault.FaultRule;
import dev.understudy.aggregator.fault.Injection;
import dev.understudy.aggregator.journal.Reason;
import dev.understudy.aggregator.limit.DebugLimit;
import dev.understudy.aggregator.match.MatchReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What became of the debug JVM's requests to one upstream. Safe for all threads. */
public final class ReplayCounts {
    private static final long LONGEST_WAIT_MICROS = 3_600_000_000L;

    final LongAdder connections = new LongAdder();
    final LongAdder closed = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder requests = new LongAdder();
    final LongAdder local = new LongAdder();
    final LongAdder pushed = new LongAdder();
    private final LongAdder replayed = new LongAdder();
    private final LongAdder repeated = new LongAdder();
    private final LongAdder background = new LongAdder();
    private final LongAdder missed = new LongAdder();
    private final LongAdder stubbed = new LongAdder();
    private final AskedCounts live = new AskedCounts();
    private final AskedCounts standin = new AskedCounts();
    private final LongAdder faulted = new LongAdder();
    private final LongAdder hampered = new LongAdder();
    private final LongAdder guessed = new LongAdder();
    private final LongAdder unfit = new LongAdder();
    private final Map<Fault.Kind, LongAdder> faults = new EnumMap<>(Fault.Kind.class);
    private final Map<DebugLimit, LongAdder> limited = new EnumMap<>(DebugLimit.class);
    private final Map<MatchReason, LongAdder> matched = new EnumMap<>(MatchReason.class);
    private final Histogram waitMicros = new ConcurrentHistogram(LONGEST_WAIT_MICROS, 2);

    /** Counts nothing yet. */
    public ReplayCounts() {
        for (MatchReason basis : MatchReason.values()) {
            matched.put(basis, new LongAdder());
        }
        for (DebugLimit limit : DebugLimit.values()) {
            limited.put(limit, new LongAdder());
        }
        for (Fault.Kind kind : Fault.Kind.values()) {
            faults.put(kind, new LongAdder());
        }
    }

    /** Connections that the debug JVM opened. */
    public long connections() {
        return connections.sum();
    }

    /** Of them, how many are open. */
    public long open() {
        return connections.sum() - closed.sum();
    }

    /** Connections closed at once, because too many were open. */
    public long refused() {
        return refused.sum();
    }

    /** How often a debug connection was refused something, or closed, by this limit. */
    public long limited(DebugLimit limit) {
        return Objects.requireNonNull(limited.get(limit)).sum();
    }

    /** Requests read; those not in one of the other figures are waiting or were given up by the debug JVM. */
    public long requests() {
        return requests.sum();
    }

    /** Requests answered here without a recorded reply, because they concern their own connection only. */
    public long local() {
        return local.sum();
    }

    /** Messages that production was told unasked, and the debug JVM now too. */
    public long pushed() {
        return pushed.sum();
    }

    /** Requests answered with a recorded reply, handed out once. */
    public long replayed() {
        return replayed.sum();
    }

    /** Requests answered with a recorded reply that had been handed out before. */
    public long repeated() {
        return repeated.sum();
    }

    /** Requests that have no twin, answered with production's last reply of their kind. */
    public long background() {
        return background.sum();
    }

    /** Requests answered by a stub, because nothing recorded fitted. */
    public long stubbed() {
        return stubbed.sum();
    }

    /** Reads for the real upstream; refused is what isn't known to only read. */
    public AskedCounts live() {
        return live;
    }

    /** Requests for a stand-in; refused is what has a longer body than is kept. */
    public AskedCounts standin() {
        return standin;
    }

    /** Requests answered with an error, because nothing fitted. */
    public long missed() {
        return missed.sum();
    }

    /**
     * Requests that got a fault on purpose instead of a reply: an error, a reset, silence. In none of the other
     * figures.
     */
    public long faulted() {
        return faulted.sum();
    }

    /** Requests that got their reply, but were given a fault on purpose with it: late, slowly, or a late end. */
    public long hampered() {
        return hampered.sum();
    }

    /** Faults of this kind that requests were given; one request may be given several. */
    public long faults(Fault.Kind kind) {
        return Objects.requireNonNull(faults.get(kind)).sum();
    }

    /** Of those replayed, how many got an answer while others were as good and different: a guess. */
    public long ambiguous() {
        return guessed.sum();
    }

    /** Requests that got an error after all, because the recorded reply couldn't be given to this client. */
    public long unfit() {
        return unfit.sum();
    }

    /** Of those replayed, how many were matched by this. */
    public long matched(MatchReason basis) {
        return adder(basis).sum();
    }

    /** How many requests waited for production, whatever came of it. */
    public long waited() {
        return waitMicros.getTotalCount();
    }

    /** A percentile (0 to 100) of the waits, in milliseconds. */
    public double waitMillis(double percentile) {
        return waitMicros.getTotalCount() == 0 ? 0 : waitMicros.getValueAtPercentile(percentile) / 1000.0;
    }

    void reached(DebugLimit limit) {
        Objects.requireNonNull(limited.get(limit)).increment();
    }

    void replayed(long waitedNanos, @Nullable Reason reason) {
        replayed.increment();
        if (reason != null) {
            adder(reason.basis()).increment();
            if (reason.guessed()) {
                guessed.increment();
            }
        }
        waited(waitedNanos);
    }

    void guess() {
        guessed.increment();
    }

    void notGiven() {
        unfit.increment();
    }

    void repeated(long waitedNanos) {
        repeated.increment();
        waited(waitedNanos);
    }

    void background(long waitedNanos) {
        background.increment();
        waited(waitedNanos);
    }

    void stubbed(long waitedNanos) {
        stubbed.increment();
        waited(waitedNanos);
    }

    /** One of {@link #live} or {@link #standin}. */
    void answered(AskedCounts by, long waitedNanos) {
        by.answer();
        waited(waitedNanos);
    }

    void missed(long waitedNanos) {
        missed.increment();
        waited(waitedNanos);
    }

    void faulted(Injection injection) {
        for (FaultRule rule : injection.rules()) {
            Objects.requireNonNull(faults.get(rule.fault().kind())).increment();
        }
        if (injection.end() != null) {
            faulted.increment();
        } else if (!injection.rules().isEmpty()) {
            hampered.increment();
        }
    }

    private LongAdder adder(MatchReason basis) {
        return Objects.requireNonNull(matched.get(basis));
    }

    private void waited(long nanos) {
        if (nanos > 0) {
            waitMicros.recordValue(Math.min(nanos / 1000, LONGEST_WAIT_MICROS));
        }
    }
}
