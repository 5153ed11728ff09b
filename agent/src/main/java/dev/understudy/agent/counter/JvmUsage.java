package dev.understudy.agent.counter;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.jspecify.annotations.Nullable;

/** What the JVM knows of the running thread; each -1 where it doesn't. For any threads. */
final class JvmUsage {
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final boolean hasCpu = threads.isCurrentThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled();
    private final @Nullable MethodHandle allocated = allocated(threads);
    private final @Nullable MethodHandle virtual = virtual();

    /** Whether it is one that isn't a thread of the system's, of which nothing is known. */
    boolean isVirtual(Thread thread) {
        try {
            return virtual != null && (boolean) virtual.invokeExact(thread);
        } catch (Throwable impossible) {
            return true;
        }
    }

    /** Its CPU time, in nanoseconds. */
    long cpuNanos() {
        return hasCpu ? threads.getCurrentThreadCpuTime() : -1;
    }

    /** How many bytes it has allocated. */
    long allocated() {
        try {
            return allocated == null ? -1 : (long) allocated.invokeExact();
        } catch (Throwable unsupported) {
            return -1;
        }
    }

    /** Null before JDK 14, and in a JVM without jdk.management. */
    private static @Nullable MethodHandle allocated(ThreadMXBean bean) {
        try {
            Class<?> extended = Class.forName("com.sun.management.ThreadMXBean");
            return MethodHandles.publicLookup()
                    .findVirtual(extended, "getCurrentThreadAllocatedBytes", MethodType.methodType(long.class))
                    .bindTo(bean);
        } catch (ReflectiveOperationException | ClassCastException absent) {
            return null;
        }
    }

    /** Null before JDK 21. */
    private static @Nullable MethodHandle virtual() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException absent) {
            return null;
        }
    }
}
