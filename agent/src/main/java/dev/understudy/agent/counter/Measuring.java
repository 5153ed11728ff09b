package dev.understudy.agent.counter;

import dev.understudy.agent.bootstrap.measure.Meter;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is measured of sampled calls, by the setting {@code measure}, and with which counters.
 *
 * <p>Made on one of the agent's threads; {@link #sweep} is called there, the rest is for any.
 */
public final class Measuring {
    private final Set<String> wanted;
    private final @Nullable ThreadCounters counters;
    private final List<Event> events;
    private final String why;
    private final double nanos;

    private Measuring(Set<String> wanted, @Nullable ThreadCounters counters, List<Event> events, String why) {
        this.wanted = wanted;
        this.counters = counters;
        this.events = events;
        this.why = why;
        boolean cpu = wanted.contains("cpu");
        boolean allocated = wanted.contains("alloc");
        this.nanos = cpu || allocated || counters != null ? new ThreadMeter(cpu, allocated, counters).begin() : 0;
    }

    /**
     * Tries what there is, and has samples measured with it as soon as {@link Meter#allow} lets them.
     *
     * @param wanted any of {@code cpu}, {@code alloc}, {@code counters}
     */
    public static Measuring begin(Set<String> wanted, Instrumentation instrumentation) {
        if (!wanted.contains("counters")) {
            return new Measuring(wanted, null, List.of(), "off (setting measure)");
        }
        CounterChoice choice;
        Perf perf = null;
        try {
            perf = PerfEvents.of(instrumentation);
            choice = CounterChoice.of(perf, paranoid());
        } catch (CountersUnavailable problem) {
            choice = CounterChoice.none(String.valueOf(problem.getMessage()));
        }
        boolean any = perf != null && !choice.events.isEmpty();
        return new Measuring(
                any ? wanted : Set.of("cpu", "alloc"),
                any && perf != null ? new ThreadCounters(perf, choice) : null,
                choice.events,
                choice.why);
    }

    /** What is measured, in the words of the setting. */
    public Set<String> wanted() {
        return wanted;
    }

    /** The counters' names, as they follow in {@link Meter#COUNTERS}. */
    public List<String> counters() {
        return List.of(Event.labels(events));
    }

    /** Which counters these are, and why no better ones. */
    public String why() {
        return why;
    }

    /** What measuring a call costs, in nanoseconds, as it was tried; 0 if nothing is measured. */
    public double nanos() {
        return nanos;
    }

    /** How many threads have counters now. */
    public int threads() {
        return counters == null ? 0 : counters.threads();
    }

    /** Closes the counters of threads that have ended. */
    public void sweep() {
        if (counters != null) {
            counters.sweep();
        }
    }

    private static String paranoid() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/perf_event_paranoid"))
                    .trim();
        } catch (IOException | RuntimeException unknown) {
            return "";
        }
    }
}
