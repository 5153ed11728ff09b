package dev.understudy.it.micro;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.journal.Journal;
import dev.understudy.aggregator.journal.JournalBounds;
import dev.understudy.aggregator.journal.Match;
import dev.understudy.aggregator.match.InboundExchanges;
import dev.understudy.aggregator.redis.RedisReply;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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
 * What it costs to find the recorded reply for a request, and to record the next one, with so many exchanges in the
 * journal.
 *
 * <p>One of them leaves it and one is added in each operation, so that there are always as many.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgs = "-Xmx3g")
public class Matching {
    /** How many exchanges the journal holds. */
    @Param({"1000", "10000", "100000", "1000000"})
    int exchanges;

    /** How many different requests they are replies to: one, or each to its own. */
    @Param({"1", "each"})
    String forms = "1";

    private final Consumer<Match<RedisReply>> then = this::matched;
    private final RedisReply reply = new RedisReply(new byte[32]);
    private Journal<RedisReply> journal = empty();
    private Form[] asked = {};
    private int next;
    private long nanos;
    private long hits;

    private static Journal<RedisReply> empty() {
        return new Journal<>(
                new JournalBounds(1L << 40, Duration.ofDays(10_000), false), () -> 0, new InboundExchanges(() -> 0));
    }

    /** Fills the journal. */
    @Setup(Level.Trial)
    public void fill() {
        asked = new Form[forms.equals("each") ? exchanges : 1];
        for (int i = 0; i < asked.length; i++) {
            asked[i] = Form.of("GET", "GET key:" + i);
        }
        journal = empty();
        for (int i = 0; i < exchanges; i++) {
            add(asked[i % asked.length]);
        }
    }

    /** Finds the oldest reply of the next form, and records another one of it. */
    @Benchmark
    public long takeAndRecord() {
        // far apart in memory, and in another order than they were made in
        next = (int) ((next + 7_919L) % asked.length);
        journal.take(asked[next], 0, ImmediateEventExecutor.INSTANCE, then);
        add(asked[next]);
        return hits;
    }

    private void add(Form form) {
        nanos += 1_000;
        journal.add(form, 1, nanos - 500, nanos, reply);
    }

    private void matched(Match<RedisReply> match) {
        if (!(match instanceof Match.Hit<RedisReply>)) {
            throw new IllegalStateException("a miss");
        }
        hits++;
    }
}
