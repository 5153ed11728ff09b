package dev.understudy.agent.bootstrap;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Follows an exchange into Kotlin's coroutines, on whatever threads they go on.
 *
 * <p>What runs of a coroutine at a time belongs to the exchange in which its function was called, whoever has it go on;
 * or, where that was in none or is over, to whoever has it go on, as one that is there for many does for each of them.
 * Safe for any threads; called by the woven kotlinx.coroutines.
 */
public final class Coroutines {
    private static final String TASK = "kotlinx.coroutines.DispatchedTask";
    private static final String DELEGATE = "getDelegate$kotlinx_coroutines_core";
    private static final MethodType ASKED = MethodType.methodType(Object.class, Object.class);
    private static final MethodHandle NOTHING = MethodHandles.empty(ASKED);
    /** From what is dispatched to what goes on then; for what is none of a coroutine, nothing. */
    private static final ClassValue<MethodHandle> CONTINUES = new ClassValue<>() {
        @Override
        protected MethodHandle computeValue(Class<?> type) {
            return delegate(type);
        }
    };

    private Coroutines() {}

    /**
     * A function that may be suspended is called, and goes on by this, which is dispatched, or what is dispatched leads
     * to.
     */
    public static void begun(Object continuation) {
        try {
            ServedExchange current = ServedExchanges.current();
            ServedExchange origin = Handover.giver(current);
            if (current != null
                    && origin != null
                    && !TaskOrigins.keep(continuation, origin, current.top, origin.pieces)) {
                Handover.lost(origin);
            }
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            // it goes on for whoever has it go on
        }
    }

    /** Something is handed to coroutines' threads: a piece of a coroutine, a task, or what runs many of these. */
    public static void dispatched(@Nullable Object task) {
        if (task != null && !task.getClass().getName().contains("LimitedDispatcher")) {
            Handover.handed(task);
        }
    }

    /** A piece of a coroutine begins; what is returned goes to {@link Handover#end}. */
    @SuppressWarnings("ReferenceEquality")
    public static @Nullable Object resumed(Object task) {
        try {
            if (!TaskOrigins.isUsed()) {
                return null;
            }
            TaskOrigins.Entry resumer = TaskOrigins.take(task);
            Object continuation = CONTINUES.get(task.getClass()).invokeExact(task);
            TaskOrigins.Entry owner =
                    continuation == null || continuation == task ? resumer : TaskOrigins.find(continuation);
            boolean itsOwn = owner != null && (resumer == null || !owner.isOver());
            return Handover.begin(itsOwn ? owner : resumer);
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return null;
        }
    }

    /** Runs something that was handed to coroutines' threads: a piece of a coroutine tells of itself. */
    public static void run(Runnable task) {
        if (isCoroutines(task)) {
            task.run();
        } else {
            Handover.run(task);
        }
    }

    @SuppressWarnings("ReferenceEquality")
    private static boolean isCoroutines(Runnable task) {
        try {
            return CONTINUES.get(task.getClass()) != NOTHING;
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return true; // it runs without an exchange
        }
    }

    private static MethodHandle delegate(Class<?> type) {
        for (Class<?> above = type; above != null; above = above.getSuperclass()) {
            if (above.getName().equals(TASK)) {
                try {
                    return MethodHandles.publicLookup()
                            .unreflect(above.getMethod(DELEGATE))
                            .asType(ASKED);
                } catch (ReflectiveOperationException otherVersion) {
                    return MethodHandles.identity(Object.class);
                }
            }
        }
        return NOTHING;
    }
}
