package dev.understudy.agent.stack;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The stacks of several threads, of all platform threads together in one stop of the JVM.
 *
 * <p>No method of a thread is called that an application could have overridden.
 */
final class ThreadStacks {
    /** Frames of a stack, from its top. */
    static final int DEEPEST = 256;

    private static final StackTraceElement[] NONE = {};

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final @Nullable MethodHandle isVirtual = isVirtual();

    /** The stack of each, its top first; empty if it has none, as a thread that has ended. */
    StackTraceElement[][] of(Thread[] wanted, long[] ids) {
        StackTraceElement[][] stacks = new StackTraceElement[wanted.length][];
        ThreadInfo[] infos = threads.getThreadInfo(ids, DEEPEST);
        for (int i = 0; i < wanted.length; i++) {
            ThreadInfo info = infos[i];
            if (info != null) {
                stacks[i] = info.getStackTrace();
            } else {
                stacks[i] = isVirtual(wanted[i]) ? top(wanted[i].getStackTrace()) : NONE;
            }
        }
        return stacks;
    }

    private boolean isVirtual(Thread thread) {
        try {
            return isVirtual != null && (boolean) isVirtual.invokeExact(thread);
        } catch (Throwable impossible) {
            return false;
        }
    }

    private static StackTraceElement[] top(StackTraceElement[] stack) {
        return stack.length <= DEEPEST ? stack : Arrays.copyOf(stack, DEEPEST);
    }

    private static @Nullable MethodHandle isVirtual() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException before21) {
            return null;
        }
    }
}
