package dev.understudy.agent.counter;

import dev.understudy.agent.bootstrap.measure.Meter;
import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is measured of sampled calls, by the setting {@code measure}, and with which counters.
 *
 * <p>Made on one of the agent's threads; {@link #change} and {@link #sweep} are called on such, the rest is for any.
 * Which counters there are is found when they are first wanted and had, and stays, so that each figure is one
 * counter's. What a thread has open stays open until the thread ends, also if counters aren't wanted any more: calls
 * may still be measured with it.
 */
public final class Measuring {
    private final Supplier<TriedCounters> trying;
    private volatile @Nullable TriedCounters found;
    private volatile Set<String> wanted = Set.of();
    private volatile String why = "";
    private volatile double nanos;

    private Measuring(Supplier<TriedCounters> trying) {
        this.trying = trying;
    }

    /**
     * Tries what there is, and has samples measured with it as soon as {@link Meter#allow} lets them.
     *
     * @param wanted any of {@code cpu}, {@code alloc}, {@code counters}
     */
    public static Measuring begin(Set<String> wanted, Instrumentation instrumentation) {
        return begin(wanted, () -> TriedCounters.in(instrumentation));
    }

    static Measuring begin(Set<String> wanted, Supplier<TriedCounters> trying) {
        Measuring measuring = new Measuring(trying);
        measuring.change(wanted);
        return measuring;
    }

    /**
     * From now on that is measured, of calls that begin; where counters aren't to be had, CPU time and allocated bytes.
     */
    public synchronized void change(Set<String> now) {
        TriedCounters tried = now.contains("counters") ? tried() : null;
        ThreadCounters counters = tried == null ? null : tried.counters;
        Set<String> measured = tried != null && counters == null ? Set.of("cpu", "alloc") : Set.copyOf(now);
        nanos = measured.isEmpty()
                ? 0
                : new ThreadMeter(measured.contains("cpu"), measured.contains("alloc"), counters).begin();
        wanted = measured;
        why = tried == null ? "off (setting measure)" : tried.why;
    }

    private TriedCounters tried() {
        TriedCounters before = found;
        if (before != null) {
            return before;
        }
        TriedCounters tried = trying.get();
        if (tried.counters != null) {
            found = tried;
        }
        return tried;
    }

    /** What is measured, in the words of the setting. */
    public Set<String> wanted() {
        return wanted;
    }

    /** The names of the counters that have counted, as they follow in {@link Meter#COUNTERS}. */
    public List<String> counters() {
        TriedCounters all = found;
        return all == null ? List.of() : all.names;
    }

    /** Which counters count now, and why no better ones. */
    public String why() {
        return why;
    }

    /** What measuring a call costs, in nanoseconds, as it was tried; 0 if nothing is measured. */
    public double nanos() {
        return nanos;
    }

    /** How many threads have counters now. */
    public int threads() {
        ThreadCounters counters = counting();
        return counters == null ? 0 : counters.threads();
    }

    /** Closes the counters of threads that have ended. */
    public void sweep() {
        ThreadCounters counters = counting();
        if (counters != null) {
            counters.sweep();
        }
    }

    private @Nullable ThreadCounters counting() {
        TriedCounters all = found;
        return all == null ? null : all.counters;
    }
}
