package dev.understudy.it.micro;

import dev.understudy.it.overhead.Armed;
import dev.understudy.it.overhead.work.Deep;
import dev.understudy.it.overhead.work.Teller;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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

/**
 * What telling of one thing in a method costs, beside telling of the method alone: fifty calls make an exchange, which
 * is observed or isn't.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class Telling {
    private static final int CALLS = 50;
    /** Neither empty nor out of the ordinary: all of it is looked at. */
    private static final String TEXT = "twenty-four signs of it.";

    /** How gates and probes stand, if the place-holders are there. */
    @Param("ABSENT")
    Armed armed = Armed.ABSENT;

    private final Teller teller = new Teller();
    private final Deep deep = new Deep();

    /** Sets gates and periods, and renews what an iteration uses up. */
    @Setup(Level.Iteration)
    public void arm() {
        armed.set();
    }

    /** Nothing inside. */
    @Benchmark
    public void plain(CpuTime spent) {
        Object exchange = begin(spent);
        for (int i = 0; i < CALLS; i++) {
            teller.plain();
        }
        armed.end(exchange);
    }

    /** A block. */
    @Benchmark
    public void block(CpuTime spent) {
        Object exchange = begin(spent);
        for (int i = 0; i < CALLS; i++) {
            teller.block();
        }
        armed.end(exchange);
    }

    /** A lock of the JDK. */
    @Benchmark
    public void locked(CpuTime spent) {
        Object exchange = begin(spent);
        for (int i = 0; i < CALLS; i++) {
            teller.locked();
        }
        armed.end(exchange);
    }

    /** A synchronized method. */
    @Benchmark
    public void whole(CpuTime spent) {
        Object exchange = begin(spent);
        for (int i = 0; i < CALLS; i++) {
            teller.whole();
        }
        armed.end(exchange);
    }

    /** Nothing inside, on the second level. */
    @Benchmark
    public void deepPlain(CpuTime spent) {
        Object exchange = begin(spent);
        for (int i = 0; i < CALLS; i++) {
            deep.plain();
        }
        armed.end(exchange);
    }

    /** A jump. */
    @Benchmark
    public void deepJump(CpuTime spent) {
        Object exchange = begin(spent);
        for (int i = 0; i < CALLS; i++) {
            deep.jump();
        }
        armed.end(exchange);
    }

    /** A number. */
    @Benchmark
    public void deepNumber(CpuTime spent) {
        Object exchange = begin(spent);
        for (int i = 0; i < CALLS; i++) {
            deep.number();
        }
        armed.end(exchange);
    }

    /** A text. */
    @Benchmark
    public void deepText(CpuTime spent) {
        Object exchange = begin(spent);
        for (int i = 0; i < CALLS; i++) {
            deep.text(TEXT);
        }
        armed.end(exchange);
    }

    private @Nullable Object begin(CpuTime spent) {
        spent.operations += CALLS;
        return armed.begin();
    }
}
