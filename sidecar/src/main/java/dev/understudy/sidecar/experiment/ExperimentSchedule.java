package dev.understudy.sidecar.experiment;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * When an experiment may begin by itself: two minutes after the one before at the earliest, and each route once an
 * hour, since the copy's state changes by it. Guarded by {@code this}.
 */
final class ExperimentSchedule {
    static final Duration PAUSE = Duration.ofMinutes(2);
    static final Duration AGAIN = Duration.ofHours(1);
    /** The ranking isn't read more often for this. */
    static final Duration LOOK = Duration.ofSeconds(5);

    private final LongSupplier nanoTime;
    private final Map<String, Long> begun = new HashMap<>();
    private long due;

    ExperimentSchedule(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.due = nanoTime.getAsLong();
    }

    /** Whether it is time to look for something to compare; the next look is some seconds away then. */
    synchronized boolean isDue() {
        long now = nanoTime.getAsLong();
        if (now - due < 0) {
            return false;
        }
        due = now + LOOK.toNanos();
        return true;
    }

    /** One of this route begins now; false if one has in the last hour. */
    synchronized boolean begin(String route) {
        long now = nanoTime.getAsLong();
        begun.values().removeIf(last -> now - last >= AGAIN.toNanos());
        if (begun.putIfAbsent(route, now) != null) {
            return false;
        }
        due = now + PAUSE.toNanos();
        return true;
    }
}
