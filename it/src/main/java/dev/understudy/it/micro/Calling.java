package dev.understudy.it.micro;

import dev.understudy.it.overhead.Armed;
import dev.understudy.it.overhead.work.Callee;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a call of a method costs that does next to nothing; with an agent in the JVM, what that adds. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class Calling {
    /** How gates and probes stand, if the place-holders are there. */
    @Param("ABSENT")
    Armed armed = Armed.ABSENT;

    private final Callee callee = new Callee();

    /** Sets gates and periods, and renews what an iteration uses up. */
    @Setup(Level.Iteration)
    public void arm() {
        armed.set();
    }

    /** One call. */
    @Benchmark
    public long call(CpuTime spent) {
        spent.operations++;
        return callee.step();
    }
}
