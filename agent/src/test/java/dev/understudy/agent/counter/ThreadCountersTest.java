package dev.understudy.agent.counter;

import dev.understudy.agent.bootstrap.measure.Meter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
final class ThreadCountersTest {
    private final FakePerf perf = new FakePerf();
    private final ThreadCounters counters = new ThreadCounters(perf, CounterChoice.of(perf, ""));

    @Test
    void aThread_opensItsCountersOnce_andReadsThem() {
        long[] values = new long[Meter.KINDS];
        counters.read(Thread.currentThread(), values);
        counters.read(Thread.currentThread(), values);

        assertThat(perf.open).hasSize(4);
        assertThat(values).containsExactly(0, 0, 24, 32, 40, 48);
    }

    @Test
    void countersThatSharedTheProcessors_sayNothing() {
        perf.shared = true;
        long[] values = {-1, -1, -1, -1, -1, -1};
        counters.read(Thread.currentThread(), values);

        assertThat(values).containsOnly(-1);
    }

    @Test
    void oneGroup_hasAllOfThem_soThatTheyCountAtTheSameTime() {
        counters.read(Thread.currentThread(), new long[Meter.KINDS]);
        assertThat(perf.opened)
                .containsExactly("CYCLES of -1", "INSTRUCTIONS of 4", "CACHE_MISSES of 4", "BRANCH_MISSES of 4");

        perf.opened.clear();
        perf.kernelToo = false;
        new ThreadCounters(perf, CounterChoice.of(perf, "2")).read(Thread.currentThread(), new long[Meter.KINDS]);
        assertThat(perf.opened).hasSize(4).allMatch(one -> one.endsWith(" outside"));
    }

    @Test
    void ifOneIsRefused_noneIsLeftOpen_andNothingIsSaid() {
        perf.absent.add(CounterEvent.BRANCH_MISSES);
        perf.error = 24;
        long[] values = {-1, -1, -1, -1, -1, -1};
        counters.read(Thread.currentThread(), values);

        assertThat(values).containsOnly(-1);
        assertThat(perf.opened).hasSize(3);
        assertThat(perf.open).isEmpty();
    }

    @Test
    void aReadThatIsCutShort_saysNothing() {
        perf.cutShort = true;
        long[] values = {-1, -1, -1, -1, -1, -1};
        counters.read(Thread.currentThread(), values);

        assertThat(values).containsOnly(-1);
    }

    @Test
    void whatIsWanted_isRead_andTheRestIsUnknown() {
        assertThat(read(true, false, null)).satisfies(values -> {
            assertThat(values[Meter.CPU]).isPositive();
            assertThat(values[Meter.ALLOCATED]).isEqualTo(-1);
            assertThat(values[Meter.COUNTERS]).isEqualTo(-1);
        });
        assertThat(read(false, true, null)).satisfies(values -> {
            assertThat(values[Meter.CPU]).isEqualTo(-1);
            assertThat(values[Meter.ALLOCATED]).isPositive();
        });
        assertThat(read(false, false, counters)).containsExactly(-1, -1, 24, 32, 40, 48);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void aVirtualThread_isNotMeasured() throws Exception {
        boolean[] measured = {true};
        Runnable work = () -> measured[0] = new ThreadMeter(true, true, counters).read(new long[Meter.KINDS]);
        ((Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work)).join();

        assertThat(measured[0]).isFalse();
        assertThat(perf.opened).isEmpty();
    }

    private static long[] read(boolean cpu, boolean allocated, @Nullable ThreadCounters counters) {
        long[] values = new long[Meter.KINDS];
        assertThat(new ThreadMeter(cpu, allocated, counters).read(values)).isTrue();
        return values;
    }

    @Test
    void ofManyThreads_someHaveCounters_whichAreClosedWhenTheyEnd() throws InterruptedException {
        ofThreads(200, () -> {
            counters.sweep();
            assertThat(counters.threads()).isBetween(ThreadCounters.MOST / 2, ThreadCounters.MOST);
            assertThat(perf.open).hasSize(4 * counters.threads());
        });

        counters.sweep();
        assertThat(counters.threads()).isZero();
        assertThat(perf.open).isEmpty();
    }

    /** If each had one place alone, some seven of sixty-four would find theirs taken. */
    @Test
    void ofNoMoreThreadsThanThereAreCountersFor_hardlyAnyFindsItsPlacesTaken() throws InterruptedException {
        ofThreads(
                ThreadCounters.MOST,
                () -> assertThat(counters.threads()).isGreaterThanOrEqualTo(ThreadCounters.MOST - 2));
    }

    /** So many threads read their counters, and live until the check is over. */
    private void ofThreads(int count, Runnable check) throws InterruptedException {
        CountDownLatch read = new CountDownLatch(count);
        CountDownLatch over = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(() -> {
                counters.read(Thread.currentThread(), new long[Meter.KINDS]);
                read.countDown();
                try {
                    over.await();
                } catch (InterruptedException ended) {
                    Thread.currentThread().interrupt();
                }
            });
            threads.add(thread);
            thread.start();
        }
        read.await();
        try {
            check.run();
        } finally {
            over.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }
}
