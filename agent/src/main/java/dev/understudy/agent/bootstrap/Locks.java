package dev.understudy.agent.bootstrap;

import dev.understudy.agent.bootstrap.lock.HeldLocks;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What woven code calls where it takes a lock: in an observed call tells how long it waited, and which locks it held meanwhile.
 *
 * <p>The token is what {@link Probes#enter} gave the method, so that behind a closed gate nothing is left of this. The number stands
 * for the place. A monitor that another thread holds is waited for here, given back, and taken again by the method itself, since
 * nothing may be called between taking it and the code that is sure to give it back.
 */
public final class Locks {
    /** Got within {@link #LEAST_NANOS}. */
    static final int AT_ONCE = 1;

    static final int WAITED = 1 << 1;
    static final int WAITED_TEN = 1 << 2;
    static final int WAITED_HUNDRED = 1 << 3;

    /** What takes less is nobody's wait: the thread may have lost its core for a moment. */
    static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** What it costs, in branches. */
    private static final int COSTS = 50;

    private static final int CALL_COSTS = 20;
    private static final String OWN = Locks.class.getName();

    private Locks() {}

    /** Just before {@code monitorenter}. */
    public static void entering(@Nullable Object lock, @Nullable Object token, int place) {
        if (token instanceof Observation.Frame) {
            enter(lock, (Observation.Frame) token, place);
        }
    }

    private static void enter(@Nullable Object lock, Observation.Frame frame, int place) {
        try {
            Observation observation = observing(frame);
            if (lock == null || observation == null || Thread.holdsLock(lock)) {
                return;
            }
            observation.locks.taking(lock, true, place);
            long waited = System.nanoTime();
            synchronized (lock) {
                waited = System.nanoTime() - waited;
            }
            observation.value(place, mask(waited), COSTS);
        } catch (Throwable problem) {
            // nothing is known of it then, and the method takes its lock
        }
    }

    /** Just before a lock of the JDK is asked for. */
    public static void locking(@Nullable Object lock, @Nullable Object token, int place) {
        if (token instanceof Observation.Frame) {
            ask(lock, (Observation.Frame) token, place);
        }
    }

    /** The same of one that may not be got in time. */
    public static void trying(@Nullable Object token, int place) {
        locking(null, token, place);
    }

    private static void ask(@Nullable Object lock, Observation.Frame frame, int place) {
        try {
            Observation observation = observing(frame);
            if (observation == null) {
                return;
            }
            if (lock != null && HeldLocks.isKnown(lock)) {
                if (HeldLocks.holds(lock)) {
                    return;
                }
                observation.locks.taking(lock, false, place);
            }
            observation.locks.asking(place);
        } catch (Throwable problem) {
            // as above
        }
    }

    /** Just after a lock of the JDK was got, or wasn't in time. */
    public static void locked(@Nullable Object token, int place) {
        if (token instanceof Observation.Frame) {
            got((Observation.Frame) token, place);
        }
    }

    private static void got(Observation.Frame frame, int place) {
        try {
            Observation observation = observing(frame);
            long waited = observation == null ? -1 : observation.locks.asked(place);
            if (observation != null && waited >= 0) {
                observation.value(place, mask(waited), COSTS);
            }
        } catch (Throwable problem) {
            // as above
        }
    }

    /**
     * Just before a call of what may be a synchronized method.
     *
     * @param method who calls, as {@code class#name}
     */
    public static void calling(@Nullable Object token, String method) {
        if (token instanceof Observation.Frame) {
            Observation observation = observing((Observation.Frame) token);
            if (observation != null) {
                observation.locks.calling(method, observation.depth());
                observation.cost(CALL_COSTS);
            }
        }
    }

    /** At the entry of a synchronized method, which has its lock. */
    public static void inside(Object lock, @Nullable Object token, int place) {
        if (token instanceof Observation.Frame) {
            entered(lock, (Observation.Frame) token, place);
        }
    }

    private static void entered(Object lock, Observation.Frame frame, int place) {
        try {
            Observation observation = observing(frame);
            if (observation == null) {
                return;
            }
            observation.locks.taking(lock, true, place);
            String caller = observation.locks.caller(frame.index);
            if (caller != null) {
                int waited = mask(frame.startNanos() - observation.locks.called());
                if (waited == AT_ONCE || caller.equals(caller())) {
                    observation.value(place, waited, COSTS);
                }
            }
        } catch (Throwable problem) {
            // as above
        }
    }

    /** Who called the method that called us: time that others between them took is nobody's wait. */
    private static String caller() {
        Optional<String> caller = StackWalker.getInstance()
                .walk(frames -> frames.dropWhile(frame -> frame.getClassName().equals(OWN))
                        .skip(1)
                        .map(frame -> frame.getClassName() + '#' + frame.getMethodName())
                        .findFirst());
        return caller.orElse("");
    }

    /** Where the call is observed, or null if its exchange is over. */
    private static @Nullable Observation observing(Observation.Frame frame) {
        Observation observation = frame.observation;
        return observation.thread == Thread.currentThread() && frame.index < observation.depth() ? observation : null;
    }

    private static int mask(long waitedNanos) {
        if (waitedNanos < LEAST_NANOS) {
            return AT_ONCE;
        }
        return WAITED
                | (waitedNanos < 10 * LEAST_NANOS ? 0 : WAITED_TEN)
                | (waitedNanos < 100 * LEAST_NANOS ? 0 : WAITED_HUNDRED);
    }
}
