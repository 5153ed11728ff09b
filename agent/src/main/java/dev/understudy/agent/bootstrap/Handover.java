package dev.understudy.agent.bootstrap;

import java.util.Objects;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Follows a thread's exchange into the tasks that it hands over, to where the JDK runs them: one class, since both ends
 * are calls of woven JDK classes that have to agree on what a task belongs to.
 *
 * <p>No task is wrapped, so what an executor's owner finds in its queue is what was put there. A task that runs when
 * its exchange is over has spans yet but is no longer observed. Safe for any threads; called by the JDK's woven
 * executors.
 */
public final class Handover {
    private static final LongAdder CARRIED = new LongAdder();
    private static final LongAdder LATE = new LongAdder();
    private static final LongAdder LOST = new LongAdder();
    private static final ServedExchange NOBODY = new ServedExchange((String) null, null);
    /** Threads that carry virtual ones: what these do is theirs. */
    private static final @Nullable Class<?> CARRIER = carrier();

    private static volatile @Nullable ServedExchange trial;

    static {
        NOBODY.ended = true;
    }

    private Handover() {}

    /** A task is handed to an executor, or a virtual thread is started. */
    public static void handed(@Nullable Object task) {
        try {
            if (task != null && !(task instanceof ForkJoinTask)) { // their makers are remembered
                give(task, true);
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // it runs without an exchange
        }
    }

    /** A task is made that a pool may run, or that waits for another to be completed. */
    public static void made(Object task) {
        try {
            give(task, false);
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // it runs without an exchange
        }
    }

    private static void give(Object task, boolean again) {
        ServedExchange current = ServedExchanges.current();
        ServedExchange origin = giver(current);
        if (current == null || origin == null) {
            if (again) {
                TaskOrigins.putByNobody(task);
            }
        } else if (!TaskOrigins.put(task, origin, current.top, origin.pieces)) {
            lost(origin);
        }
    }

    /** The exchange for which a thread hands something over when it works on {@code current}; null if there is none. */
    static @Nullable ServedExchange giver(@Nullable ServedExchange current) {
        ServedExchange origin = current == null || current.origin == null ? current : current.origin;
        if (current == null || origin == null || origin.ended || !origin.isAtWork()) {
            return null;
        }
        if (origin == current) {
            origin.handedOn = true;
            if (origin.observation != null && origin.pieces == null) {
                origin.pieces = new Pieces();
            }
        }
        return origin;
    }

    /** Something that was handed over can't be followed. */
    static void lost(ServedExchange origin) {
        LOST.increment();
        Pieces pieces = origin.pieces;
        if (pieces != null) {
            pieces.miss();
        }
    }

    /** An executor doesn't take the task that was handed to it. */
    public static void refused(@Nullable Object task) {
        try {
            if (task != null && !(task instanceof ForkJoinTask)) {
                TaskOrigins.take(task);
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // its place is free when its exchange is over
        }
    }

    /** Runs a task that may have been handed over, or that serves a connection. */
    public static void run(Runnable task) {
        Object token = start(task);
        boolean idle = token == null && isIdle();
        try {
            task.run();
        } finally {
            if (idle) {
                Sockets.served();
            }
            end(token);
        }
    }

    private static boolean isIdle() {
        try {
            return ServedExchanges.current() == null;
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return false;
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private static @Nullable Object start(Runnable task) {
        try {
            ServedExchange current = ServedExchanges.current();
            if (current != null && current.task == task) {
                current.task = null; // it ends here
                return current;
            }
            pooled(task);
            TaskOrigins.Entry entry = taken(task);
            return entry == null ? aside(false) : begin(entry);
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return null;
        }
    }

    private static TaskOrigins.@Nullable Entry taken(Object task) {
        return task instanceof ForkJoinTask ? TaskOrigins.find(task) : TaskOrigins.take(task);
    }

    /**
     * The thread of a pool or timer goes to run a task. If its loop is older than the agent it doesn't come to
     * {@link #run}, and the task is over with {@link #idle}.
     */
    @SuppressWarnings("ReferenceEquality")
    public static void before(@Nullable Object task) {
        try {
            ServedExchange current = ServedExchanges.current();
            if (task == null || (current != null && current.task == task)) {
                return;
            }
            pooled(task);
            ServedExchange part = ServedExchanges.current() == null ? begin(taken(task)) : null;
            if (part != null) {
                part.task = task;
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // it runs without an exchange
        }
    }

    /** The thread of {@code pool}, or of a timer, goes to look for its next task, or ends. */
    public static void idle(Object pool) {
        try {
            ServedExchange current = ServedExchanges.current();
            if (current != null && current.task != null) {
                end(current);
            }
            Sockets.served();
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // the exchange's end is the latest
        }
    }

    /**
     * A task that was handed over in a form that runs once begins, unless a loop has told of it; what is returned goes
     * to {@link #end}.
     */
    public static @Nullable Object own(Object task) {
        try {
            return begin(TaskOrigins.take(task));
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return null;
        }
    }

    /** What a virtual thread, which is the current one, runs in place of its task. */
    public static Runnable started(Runnable task) {
        try {
            TaskOrigins.Entry entry = TaskOrigins.take(Thread.currentThread());
            return entry == null || isWorker(task) ? task : new Carried(entry, task);
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return task;
        }
    }

    /**
     * A thread begins with what it was made for, if that wasn't said by overriding; what is returned goes to
     * {@link #end}.
     */
    @SuppressWarnings("ReferenceEquality")
    public static @Nullable Object launched(Object thread) {
        try {
            ServedExchange part = thread == Thread.currentThread() ? begin(TaskOrigins.take(thread)) : null;
            if (part != null) {
                part.loose = true;
                part.awaited = false; // it may live on
                Objects.requireNonNull(part.origin).partEnds();
            }
            return part;
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return null;
        }
    }

    /**
     * The thread is there for the tasks of many: whoever had it started, or filled its queue before, is nothing to it.
     */
    public static void pooled(Object work) {
        try {
            ServedExchange current = ServedExchanges.current();
            if (current != null && current.loose) {
                end(current);
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // the exchange's end is the latest
        }
    }

    /** Lives on and runs other tasks. */
    private static boolean isWorker(Runnable task) {
        return task.getClass().getName().equals("java.util.concurrent.ThreadPoolExecutor$Worker");
    }

    /** A pool's thread, or one that helps it, begins with a task; what is returned goes to {@link #end}. */
    public static @Nullable Object execute(Object task) {
        try {
            pooled(task);
            TaskOrigins.Entry entry = TaskOrigins.take(task);
            if (Thread.currentThread().getClass() == CARRIER) {
                return null;
            }
            return entry == null ? aside(true) : begin(entry);
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return null;
        }
    }

    /** What waited for something to be completed looks whether it is, or is called then; as {@link #execute}. */
    public static @Nullable Object fire(Object completion) {
        try {
            return begin(TaskOrigins.find(completion));
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return null;
        }
    }

    static @Nullable ServedExchange begin(TaskOrigins.@Nullable Entry entry) {
        ServedExchange origin = entry == null ? null : entry.origin;
        return entry == null || origin == null ? null : begin(origin, entry.top, entry.pieces);
    }

    /** A part of {@code origin} begins on this thread; null if it works on that already. */
    @SuppressWarnings("ReferenceEquality")
    static @Nullable ServedExchange begin(ServedExchange origin, @Nullable CallSample top, @Nullable Pieces pieces) {
        ServedExchange current = ServedExchanges.current();
        if (current != null && (current == origin || current.origin == origin)) {
            return null;
        }
        ServedExchange part = new ServedExchange(origin, top, current);
        part.awaited = true;
        origin.partBegins();
        boolean late = origin.ended;
        part.paused = Observations.pause();
        if (origin != trial) {
            (late ? LATE : CARRIED).increment();
        }
        if (!late) {
            if (pieces != null) {
                part.piece = Observations.begin(pieces);
            }
            Serving.begun(part);
        }
        ServedExchanges.enter(part);
        return part;
    }

    /**
     * A thread that waits for its own tasks, {@code helping}, or has nothing to do for its exchange now, runs one of
     * nobody's.
     */
    static @Nullable Object aside(boolean helping) {
        ServedExchange current = ServedExchanges.current();
        if (current == null || current.origin == NOBODY || !TaskOrigins.isUsed()) {
            return null;
        }
        ServedExchange part = new ServedExchange(NOBODY, null, current);
        part.paused = Observations.pause();
        if (part.paused != null && helping) {
            part.paused.miss();
        }
        ServedExchanges.enter(part);
        return part;
    }

    /** Whether it stands for work that is no exchange's. */
    @SuppressWarnings("ReferenceEquality")
    static boolean isNobodys(ServedExchange exchange) {
        return exchange.origin == NOBODY;
    }

    /** The task is over; a second call does nothing. */
    public static void end(@Nullable Object token) {
        try {
            ServedExchange part = (ServedExchange) token;
            if (part == null || part.ended) {
                return;
            }
            part.ended = true;
            part.task = null;
            try {
                settle(part);
            } finally {
                ServedExchanges.leave(part);
            }
            Observation paused = part.paused;
            if (paused != null) {
                paused.thread = Thread.currentThread();
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // the thread goes on
        }
    }

    private static void settle(ServedExchange part) {
        ServedExchange origin = part.origin;
        if (part.piece != null) {
            Observations.end(part.piece);
        }
        if (origin != null && part.awaited) {
            origin.partEnds();
        }
        Serving.ended(part);
    }

    /** As {@link #end(Object)}, when the task throws. */
    public static void thrown(Throwable problem, @Nullable Object token) {
        end(token);
    }

    /** Does something as if for an exchange, of which nobody hears. One thread at a time. */
    public static void trial(Runnable work) {
        ServedExchange exchange = new ServedExchange((String) null, ServedExchanges.current());
        trial = exchange;
        TaskOrigins.trial(exchange);
        ServedExchanges.enter(exchange);
        try {
            work.run();
        } finally {
            ServedExchanges.leave(exchange);
            exchange.end();
            TaskOrigins.trial(null);
        }
    }

    /** Whether this thread works for the exchange of the last {@link #trial}, by having taken up a task. */
    @SuppressWarnings("ReferenceEquality")
    public static boolean isTried() {
        ServedExchange current = ServedExchanges.current();
        return current != null && current.origin != null && current.origin == trial;
    }

    /** How many tasks were run for the exchange of the thread that handed them over. */
    public static long carried() {
        return CARRIED.sum();
    }

    /** How many tasks began when the exchange was over. */
    public static long late() {
        return LATE.sum();
    }

    /** How many tasks weren't followed, since too many were waiting. */
    public static long lost() {
        return LOST.sum();
    }

    private static @Nullable Class<?> carrier() {
        try {
            return Class.forName("jdk.internal.misc.CarrierThread", false, null);
        } catch (ClassNotFoundException before21) {
            return null;
        }
    }
}
