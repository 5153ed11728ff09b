package dev.understudy.it.micro;

import java.lang.management.ManagementFactory;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What the processor spent in an iteration, which other programs beside it don't change much. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class CpuTime {
    /** How many operations the benchmark did. */
    public long operations;

    /** Of this thread. */
    public long cpuNanos;

    private long begun;

    /** An iteration begins. */
    @Setup(Level.Iteration)
    public void begin() {
        begun = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** It ends. */
    @TearDown(Level.Iteration)
    public void end() {
        cpuNanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begun;
    }
}
