package dev.understudy.it.suites;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One test of one run.
 *
 * @param text what it printed or failed with
 * @param begun when, if the run says so
 * @param ended when, if the run says so
 */
public record TestResult(
        String name,
        TestState state,
        String text,
        @Nullable Instant begun,
        @Nullable Instant ended) {
    /** Whether {@code moment} lies within it. */
    boolean spans(Instant moment) {
        return begun != null && ended != null && !moment.isBefore(begun) && !moment.isAfter(ended);
    }
}
