package dev.understudy.agent.bootstrap;

import dev.understudy.agent.bootstrap.lock.HeldLocks;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import jdk.internal.vm.annotation.ForceInline;
import org.jspecify.annotations.Nullable;

/**
 * What woven code calls where it takes a lock or gives one back: in an observed call tells how long it waited, which locks it held
 * meanwhile, and for how long.
 *
 * <p>The token is what {@link Probes#enter} gave the method, so that behind a closed gate nothing is left of this but around
 * {@code unlock} and waits: these ask whether the thread's exchange is observed, in whichever call. The number stands for the place. A
 * monitor that another thread holds is waited for here, given back, and taken again by the method itself, since nothing may be called
 * between taking it and the code that is sure to give it back.
 */
public final class Locks {
    /** Got within {@link #LEAST_NANOS}. */
    static final int AT_ONCE = 1;

    static final int WAITED = 1 << 1;
    static final int WAITED_TEN = 1 << 2;
    static final int WAITED_HUNDRED = 1 << 3;
    /** So many bits further the same times say how long a lock was held. */
    private static final int HELD = 4;

    /** What takes less is nobody's fault: the thread may have lost its core for a moment. */
    static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** What it costs, in branches. */
    static final int COSTS = 50;

    private static final int CALL_COSTS = 20;
    private static final String OWN = Locks.class.getName();

    private Locks() {}

    /** Just before {@code monitorenter}. */
    @ForceInline
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
            observation.locks.got(place, frame.index, false);
        } catch (Throwable problem) {
            Faults.MET[Faults.count++ & Faults.LAST] = problem;
            // nothing is known of it then, and the method takes its lock
        }
    }

    /** Just before a lock of the JDK is asked for. */
    @ForceInline
    public static void locking(@Nullable Object lock, @Nullable Object token, int place) {
        if (token instanceof Observation.Frame) {
            ask(lock, (Observation.Frame) token, place);
        }
    }

    /** The same of one that may not be got in time. */
    @ForceInline
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
            Faults.MET[Faults.count++ & Faults.LAST] = problem;
            // as above
        }
    }

    /** Just after a lock of the JDK was got, or wasn't in time. */
    @ForceInline
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
                observation.locks.got(place, frame.index, false);
            }
        } catch (Throwable problem) {
            Faults.MET[Faults.count++ & Faults.LAST] = problem;
            // as above
        }
    }

    /**
     * Just before a call of what may be a synchronized method.
     *
     * @param method who calls, as {@code class#name}
     */
    @ForceInline
    public static void calling(@Nullable Object token, String method) {
        if (token instanceof Observation.Frame) {
            call((Observation.Frame) token, method);
        }
    }

    private static void call(Observation.Frame frame, String method) {
        try {
            Observation observation = observing(frame);
            if (observation != null) {
                observation.locks.calling(method, observation.depth());
                observation.cost(CALL_COSTS);
            }
        } catch (Throwable problem) {
            Faults.MET[Faults.count++ & Faults.LAST] = problem;
        }
    }

    /** At the entry of a synchronized method, which has its lock. */
    @ForceInline
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
            observation.locks.got(place, frame.index, true);
            String caller = observation.locks.caller(frame.index);
            if (caller != null) {
                int waited = mask(frame.startNanos() - observation.locks.called());
                if (waited == AT_ONCE || caller.equals(caller())) {
                    observation.value(place, waited, COSTS);
                }
            }
        } catch (Throwable problem) {
            Faults.MET[Faults.count++ & Faults.LAST] = problem;
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

    /** Just before {@code monitorexit}. */
    @ForceInline
    public static void leaving(@Nullable Object lock, @Nullable Object token) {
        if (token instanceof Observation.Frame) {
            leave(lock, (Observation.Frame) token);
        }
    }

    private static void leave(@Nullable Object lock, Observation.Frame frame) {
        try {
            Observation observation = observing(frame);
            if (lock != null && observation != null) {
                observation.locks.leaves(lock, frame.index, frame.startNanos());
            }
        } catch (Throwable problem) {
            Faults.MET[Faults.count++ & Faults.LAST] = problem;
            // nothing is told of it then, and the method gives its lock back
        }
    }

    /** Just before a lock of the JDK is given back, in whichever call: one of those that are only counted may do it. */
    public static void unlocking(@Nullable Object lock) {
        Observation observation = Observations.ofThisThread();
        if (observation != null) {
            try {
                if (lock != null && HeldLocks.isKnown(lock) && HeldLocks.isGivenBackNext(lock)) {
                    observation.locks.unlocks(lock);
                }
            } catch (Throwable problem) {
                Faults.MET[Faults.count++ & Faults.LAST] = problem;
                // as above
            }
        }
    }

    /** Just before a wait on a condition. */
    public static void pausing() {
        Observation observation = Observations.ofThisThread();
        if (observation != null) {
            try {
                observation.locks.pauses();
            } catch (Throwable problem) {
                Faults.MET[Faults.count++ & Faults.LAST] = problem;
            }
        }
    }

    /** Just after a wait on a condition that nothing interrupted. */
    public static void resuming() {
        Observation observation = Observations.ofThisThread();
        if (observation != null) {
            try {
                observation.locks.resumes();
            } catch (Throwable problem) {
                Faults.MET[Faults.count++ & Faults.LAST] = problem;
            }
        }
    }

    /** What holds of a lock that was held for so long. */
    static int held(long nanos) {
        return mask(nanos) << HELD;
    }

    /** Where the call is observed, or null if its exchange is over. */
    private static @Nullable Observation observing(Observation.Frame frame) {
        Observation observation = frame.observation;
        return observation.thread == Thread.currentThread() && frame.index < observation.depth() ? observation : null;
    }

    private static int mask(long nanos) {
        if (nanos < LEAST_NANOS) {
            return AT_ONCE;
        }
        return WAITED | (nanos < 10 * LEAST_NANOS ? 0 : WAITED_TEN) | (nanos < 100 * LEAST_NANOS ? 0 : WAITED_HUNDRED);
    }
}
