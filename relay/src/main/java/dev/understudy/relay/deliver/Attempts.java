package dev.understudy.relay.deliver;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * How the attempts to reach one debug JVM went, and when the next is due: all its lanes make them together.
 * Thread-safe.
 */
final class Attempts {
    private static final long FIRST_BACK_OFF = 50_000_000L;
    private static final long LAST_BACK_OFF = 1_000_000_000L;

    private final LongSupplier nanoClock;
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicLong next = new AtomicLong();
    private volatile String obstacle = "";
    private final LongAdder failedHandshakes = new LongAdder();

    Attempts(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    long now() {
        return nanoClock.getAsLong();
    }

    boolean failing() {
        return failures.get() > 0;
    }

    String obstacle() {
        return obstacle;
    }

    long failedHandshakes() {
        return failedHandshakes.sum();
    }

    boolean mayBeTried() {
        return failures.get() == 0 || next.get() - now() <= 0;
    }

    long waitBefore() {
        int failed = failures.get();
        if (failed == 0) {
            return 0;
        }
        long now = now();
        long due = next.get();
        if (due - now > 0) {
            return due - now;
        }
        return next.compareAndSet(due, now + backOff(failed + 1)) ? 0 : backOff(failed);
    }

    void succeeded() {
        failures.set(0);
        obstacle = "";
    }

    /** Returns whether it failed for another reason than before. */
    boolean failed(String why, boolean inHandshake) {
        if (inHandshake) {
            failedHandshakes.increment();
        }
        int failed = failures.updateAndGet(n -> Math.min(n + 1, 30));
        next.set(now() + backOff(failed));
        boolean another = !obstacle.equals(why);
        obstacle = why;
        return another;
    }

    private static long backOff(int failed) {
        return Math.min(LAST_BACK_OFF, FIRST_BACK_OFF << Math.min(failed - 1, 10));
    }
}
