package dev.understudy.agent.counter;

import dev.understudy.agent.bootstrap.measure.Meter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads what the operator wants measured of the running thread. */
final class ThreadMeter extends Meter {
    private final JvmUsage jvm = new JvmUsage();
    private final boolean cpu;
    private final boolean allocated;
    private final @Nullable ThreadCounters counters;

    ThreadMeter(boolean cpu, boolean allocated, @Nullable ThreadCounters counters) {
        this.cpu = cpu;
        this.allocated = allocated;
        this.counters = counters;
    }

    @Override
    protected boolean read(long[] values) {
        Arrays.fill(values, -1);
        Thread thread = Thread.currentThread();
        if (jvm.isVirtual(thread)) {
            return false;
        }
        try {
            if (allocated) {
                values[ALLOCATED] = jvm.allocated();
            }
            if (counters != null) {
                counters.read(thread, values);
            }
            if (cpu) {
                values[CPU] = jvm.cpuNanos();
            }
            return true;
        } catch (Throwable unsupported) {
            return false;
        }
    }
}
