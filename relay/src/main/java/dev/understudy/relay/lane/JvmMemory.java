package dev.understudy.relay.lane;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/**
 * What this JVM may have of memory at the most. Who sets budgets has to stay well below: when either is used up,
 * reading from a client fails too.
 *
 * @param heap bytes, as {@code -Xmx} says
 * @param direct bytes outside the heap, as {@code -XX:MaxDirectMemorySize} says, or as much as the heap if that says
 *     nothing
 */
public record JvmMemory(long heap, long direct) {
    /** That of the running JVM. */
    public static JvmMemory read() {
        long heap = Runtime.getRuntime().maxMemory();
        HotSpotDiagnosticMXBean jvm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        long direct = jvm == null
                ? 0
                : Long.parseLong(jvm.getVMOption("MaxDirectMemorySize").getValue());
        return new JvmMemory(heap, direct == 0 ? heap : direct);
    }

    /** The smaller of both. */
    public long scarcer() {
        return Math.min(heap, direct);
    }

    /** Both in a line. */
    @Override
    public String toString() {
        return (heap >> 20) + " MiB heap, " + (direct >> 20) + " MiB direct memory";
    }
}
