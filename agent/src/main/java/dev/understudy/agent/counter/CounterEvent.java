package dev.understudy.agent.counter;

import java.util.Arrays;
import java.util.List;

/** What a counter counts, in the words of {@code perf_event_open(2)}: a type, and a number within that. */
enum CounterEvent {
    CYCLES("cycles", 0, 0),
    INSTRUCTIONS("instructions", 0, 1),
    CACHE_MISSES("cacheMisses", 0, 3),
    BRANCH_MISSES("branchMisses", 0, 5),
    TASK_CLOCK("taskClockNanos", 1, 1),
    PAGE_FAULTS("pageFaults", 1, 2),
    CONTEXT_SWITCHES("contextSwitches", 1, 3);

    /** Counted by the processor. */
    static final List<CounterEvent> HARDWARE = List.of(CYCLES, INSTRUCTIONS, CACHE_MISSES, BRANCH_MISSES);
    /** Counted by the kernel. */
    static final List<CounterEvent> SOFTWARE = List.of(TASK_CLOCK, PAGE_FAULTS, CONTEXT_SWITCHES);
    /** What the kernel counts of a thread that isn't in the kernel; it switches threads only when they are. */
    static final List<CounterEvent> SOFTWARE_OF_USER = List.of(TASK_CLOCK, PAGE_FAULTS);

    final String label;
    final int type;
    final long config;

    CounterEvent(String label, int type, long config) {
        this.label = label;
        this.type = type;
        this.config = config;
    }

    static String[] labels(List<CounterEvent> events) {
        return events.stream().map(event -> event.label).toArray(String[]::new);
    }

    static String named(List<CounterEvent> events) {
        return String.join(", ", Arrays.asList(labels(events)));
    }
}
