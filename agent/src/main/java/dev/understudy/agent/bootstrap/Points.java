package dev.understudy.agent.bootstrap;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What the woven places of log points, snapshots and watched fields call.
 *
 * <p>{@link #due} decides, before anything is collected; then each value is {@code put}, and {@link #done} has them
 * looked at. Where nothing is due all of it is a null that is handed on, so that woven code needs no jump. The time
 * that looking takes is an allowance, of which a little is given every moment; once it is used up nothing is due.
 */
public final class Points {
    /** How many places there can be in a JVM's life: a number isn't given out twice. */
    public static final int CAPACITY = 1 << 14;

    /** Stands where a value isn't there. */
    public static final Object ABSENT = new Object();

    private static final AtomicReferenceArray<@Nullable Point> POINTS = new AtomicReferenceArray<>(CAPACITY);
    private static final ThreadLocal<Boolean> LOOKING = new ThreadLocal<>();
    private static final AtomicLong ALLOWED = new AtomicLong();
    private static final AtomicLong ALLOWED_FIELDS = new AtomicLong();
    private static final LongAdder SPENT = new LongAdder();

    private Points() {}

    /** From now on the place is this; null for none any more. */
    public static void set(int number, @Nullable Point point) {
        POINTS.set(number, point);
    }

    /**
     * Looking may take so many nanoseconds more, all threads together; looking at fields that are watched as many
     * again.
     *
     * @param nanos 0 if it may take none any more
     * @param most what is kept at most of what wasn't taken, or was taken too much
     */
    public static void allow(long nanos, long most) {
        ALLOWED.updateAndGet(left -> left(left, nanos, most));
        ALLOWED_FIELDS.updateAndGet(left -> left(left, nanos, most));
    }

    private static long left(long left, long nanos, long most) {
        return nanos <= 0 ? Math.min(0, left) : Math.min(most, Math.max(-most, left) + nanos);
    }

    private static AtomicLong allowance(Point point) {
        return point.ofField ? ALLOWED_FIELDS : ALLOWED;
    }

    /** What looking has taken since the JVM started, in nanoseconds. */
    public static long spentNanos() {
        return SPENT.sum();
    }

    /** What the values are put into, or null if they aren't wanted. */
    public static @Nullable Object due(int number) {
        try {
            Point point = POINTS.get(number);
            if (point == null || LOOKING.get() != null) {
                return null;
            }
            point.passed.increment();
            if (allowance(point).get() <= 0) {
                point.skipped.increment();
                return null;
            }
            return point.isDue() ? new Seen(point) : null;
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return null;
        }
    }

    /** The next value. */
    public static @Nullable Object put(boolean value, @Nullable Object seen) {
        return seen == null ? null : ((Seen) seen).put(value);
    }

    /** The next value. */
    public static @Nullable Object put(char value, @Nullable Object seen) {
        return seen == null ? null : ((Seen) seen).put(value);
    }

    /** The next value: an int, short or byte. */
    public static @Nullable Object put(int value, @Nullable Object seen) {
        return seen == null ? null : ((Seen) seen).put(value);
    }

    /** The next value. */
    public static @Nullable Object put(long value, @Nullable Object seen) {
        return seen == null ? null : ((Seen) seen).put(value);
    }

    /** The next value. */
    public static @Nullable Object put(float value, @Nullable Object seen) {
        return seen == null ? null : ((Seen) seen).put(value);
    }

    /** The next value. */
    public static @Nullable Object put(double value, @Nullable Object seen) {
        return seen == null ? null : ((Seen) seen).put(value);
    }

    /** The next value. */
    public static @Nullable Object put(@Nullable Object value, @Nullable Object seen) {
        return seen == null ? null : ((Seen) seen).put(value);
    }

    /** The next value isn't there. */
    public static @Nullable Object absent(@Nullable Object seen) {
        return seen == null ? null : ((Seen) seen).put(ABSENT);
    }

    /** All values are put. */
    public static void done(@Nullable Object seen) {
        if (seen == null) {
            return;
        }
        Seen all = (Seen) seen;
        try {
            LOOKING.set(true);
            try {
                all.point.pass(all.values, ServedExchanges.current());
            } finally {
                LOOKING.remove();
                took(all.point, System.nanoTime() - all.since);
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
        }
    }

    private static void took(Point point, long nanos) {
        allowance(point).addAndGet(-nanos);
        SPENT.add(nanos);
    }

    private static final class Seen {
        private final Point point;
        private final @Nullable Object[] values;
        private final long since = System.nanoTime();
        private int next;

        Seen(Point point) {
            this.point = point;
            this.values = new @Nullable Object[point.values];
        }

        Seen put(@Nullable Object value) {
            if (next < values.length) {
                values[next++] = value;
            }
            return this;
        }
    }
}
