package dev.understudy.agent.counter;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The counters that this JVM lets the agent have, or none, and why no better ones. Immutable. */
final class TriedCounters {
    final @Nullable ThreadCounters counters;
    final List<String> names;
    final String why;

    private TriedCounters(@Nullable ThreadCounters counters, CounterChoice choice) {
        this.counters = counters;
        this.names = List.of(CounterEvent.labels(choice.events));
        this.why = choice.why;
    }

    static TriedCounters on(Perf perf, String paranoid) {
        CounterChoice choice = CounterChoice.of(perf, paranoid);
        return new TriedCounters(choice.events.isEmpty() ? null : new ThreadCounters(perf, choice), choice);
    }

    static TriedCounters in(Instrumentation instrumentation) {
        try {
            return on(PerfEvents.of(instrumentation), paranoid());
        } catch (CountersUnavailable problem) {
            return new TriedCounters(null, CounterChoice.none(String.valueOf(problem.getMessage())));
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
