package dev.understudy.agent.stack;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Method;
import java.util.function.LongSupplier;

/**
 * How many bytes this JVM's threads have allocated by now, sampled or not, those of threads that have ended included.
 * From JDK 21 on; -1 before that.
 */
public final class AllocatedBytes implements LongSupplier {
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    @Override
    public long getAsLong() {
        try {
            for (Class<?> type : threads.getClass().getInterfaces()) {
                if (type.getName().equals("com.sun.management.ThreadMXBean")) {
                    Method total = type.getMethod("getTotalThreadAllocatedBytes");
                    return (long) total.invoke(threads);
                }
            }
        } catch (ReflectiveOperationException | RuntimeException untold) {
            // as before JDK 21
        }
        return -1;
    }
}
