package dev.understudy.agent.bootstrap;

import dev.understudy.agent.bootstrap.lock.LockKind;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;
import jdk.internal.vm.annotation.ForceInline;
import org.jspecify.annotations.Nullable;

/**
 * What woven code calls where it takes a lock or gives one back: in an observed call tells how long it waited, which
 * locks it held meanwhile, and for how long.
 *
 * <p>The token is what {@link Probes#enter} gave the method, so that behind a closed gate nothing is left of this but
 * around {@code unlock} and waits: these ask whether the thread's exchange is observed, in whichever call. The number
 * stands for the place. A monitor that another thread holds is waited for here, given back, and taken again by the
 * method itself, since nothing may be called between taking it and the code that is sure to give it back.
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
            observation.locks.taking(lock, place);
            long waited = System.nanoTime();
            synchronized (lock) {
                waited = System.nanoTime() - waited;
            }
            observation.value(place, mask(waited), COSTS);
            observation.locks.got(place, frame.index, false);
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // nothing is known of it then, and the method takes its lock
        }
    }

    /** Just before a lock of the JDK is asked for, which its class says how to have. */
    @ForceInline
    public static void locking(@Nullable Object lock, @Nullable Object token, int place) {
        if (token instanceof Observation.Frame) {
            ask(lock, LockKind.UNKNOWN, true, (Observation.Frame) token, place);
        }
    }

    /** The same of one that may not be got in time, or not at once. */
    @ForceInline
    public static void trying(@Nullable Object lock, @Nullable Object token, int place) {
        if (token instanceof Observation.Frame) {
            ask(lock, LockKind.UNKNOWN, false, (Observation.Frame) token, place);
        }
    }

    /** Just before a {@link StampedLock} is asked for, to write. */
    @ForceInline
    public static void writing(@Nullable Object lock, @Nullable Object token, int place) {
        if (token instanceof Observation.Frame) {
            ask(lock, LockKind.STAMPED_WRITE, true, (Observation.Frame) token, place);
        }
    }

    /** The same of one that may not be got in time, or not at once. */
    @ForceInline
    public static void tryingToWrite(@Nullable Object lock, @Nullable Object token, int place) {
        if (token instanceof Observation.Frame) {
            ask(lock, LockKind.STAMPED_WRITE, false, (Observation.Frame) token, place);
        }
    }

    /** Just before a {@link StampedLock} is asked for, to read. */
    @ForceInline
    public static void reading(@Nullable Object lock, @Nullable Object token, int place) {
        if (token instanceof Observation.Frame) {
            ask(lock, LockKind.STAMPED_READ, true, (Observation.Frame) token, place);
        }
    }

    /** The same of one that may not be got in time, or not at once. */
    @ForceInline
    public static void tryingToRead(@Nullable Object lock, @Nullable Object token, int place) {
        if (token instanceof Observation.Frame) {
            ask(lock, LockKind.STAMPED_READ, false, (Observation.Frame) token, place);
        }
    }

    private static void ask(
            @Nullable Object lock, LockKind stamped, boolean forGood, Observation.Frame frame, int place) {
        try {
            Observation observation = observing(frame);
            if (observation != null) {
                LockKind kind = lock == null
                        ? LockKind.UNKNOWN
                        : stamped == LockKind.UNKNOWN ? LockKind.of(lock) : stamped.of((StampedLock) lock);
                observation.locks.asks(lock, kind, forGood, place);
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // as above
        }
    }

    /** Just after a lock of the JDK was got. */
    @ForceInline
    public static void locked(@Nullable Object token, int place) {
        if (token instanceof Observation.Frame) {
            got((Observation.Frame) token, place, true, true, 0);
        }
    }

    /** Just after a lock of the JDK was got, or wasn't since it wasn't free; nobody has waited. */
    @ForceInline
    public static void tried(boolean got, @Nullable Object token, int place) {
        if (token instanceof Observation.Frame) {
            got((Observation.Frame) token, place, false, got, 0);
        }
    }

    /** Just after a lock of the JDK was got, or wasn't in time. */
    @ForceInline
    public static void triedInTime(boolean got, @Nullable Object token, int place) {
        if (token instanceof Observation.Frame) {
            got((Observation.Frame) token, place, true, got, 0);
        }
    }

    /** The same of a {@link StampedLock}, which gives 0 if it wasn't got. */
    @ForceInline
    public static void stamped(long stamp, @Nullable Object token, int place) {
        if (token instanceof Observation.Frame) {
            got((Observation.Frame) token, place, true, stamp != 0, stamp);
        }
    }

    /** The same of one for which nobody has waited. */
    @ForceInline
    public static void stampedAtOnce(long stamp, @Nullable Object token, int place) {
        if (token instanceof Observation.Frame) {
            got((Observation.Frame) token, place, false, stamp != 0, stamp);
        }
    }

    private static void got(Observation.Frame frame, int place, boolean waits, boolean has, long stamp) {
        try {
            Observation observation = observing(frame);
            long waited = observation == null ? -1 : observation.locks.asked(place);
            if (observation == null || waited < 0) {
                return;
            }
            if (waits) {
                observation.value(place, mask(waited), COSTS);
            } else {
                observation.cost(COSTS);
            }
            if (has) {
                observation.locks.gets(place, stamp);
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
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
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
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
            observation.locks.taking(lock, place);
            observation.locks.got(place, frame.index, true);
            String caller = observation.locks.caller(frame.index);
            if (caller != null) {
                int waited = mask(frame.startNanos() - observation.locks.called());
                if (waited == AT_ONCE || caller.equals(caller())) {
                    observation.value(place, waited, COSTS);
                }
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
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
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // nothing is told of it then, and the method gives its lock back
        }
    }

    /** Just before a lock of the JDK is given back, in whichever call: one of those that are only counted may do it. */
    public static void unlocking(@Nullable Object lock) {
        Observation observation = Observations.ofThisThread();
        if (observation != null) {
            try {
                if (lock != null) {
                    observation.locks.unlocks(lock);
                }
            } catch (Throwable problem) {
                AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
                // as above
            }
        }
    }

    /** Just before a stamp of a {@link StampedLock} is made another, in whichever call, as {@link #unlocking}. */
    public static void converting(@Nullable Object lock, long stamp) {
        Observation observation = Observations.ofThisThread();
        if (observation != null) {
            try {
                observation.locks.converts(lock, stamp);
            } catch (Throwable problem) {
                AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
                // as above
            }
        }
    }

    /**
     * Just after; nobody has waited.
     *
     * @param stamp 0 if it couldn't be
     * @param place 0 if it has no number, or the stamp holds nothing
     */
    public static void converted(long stamp, @Nullable Object token, int place) {
        Observation observation = Observations.ofThisThread();
        if (observation != null) {
            try {
                boolean told = token instanceof Observation.Frame && observing((Observation.Frame) token) != null;
                observation.cost(COSTS);
                observation.locks.converted(stamp, told ? place : 0);
            } catch (Throwable problem) {
                AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
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
                AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
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
                AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
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
