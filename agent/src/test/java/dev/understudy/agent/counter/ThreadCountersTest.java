package dev.understudy.agent.counter;

import dev.understudy.agent.bootstrap.measure.Meter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
    void ofManyThreads_someHaveCounters_whichAreClosedWhenTheyEnd() throws InterruptedException {
        CountDownLatch read = new CountDownLatch(200);
        CountDownLatch over = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
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
        counters.sweep();
        assertThat(counters.threads()).isBetween(ThreadCounters.MOST / 2, ThreadCounters.MOST);
        assertThat(perf.open).hasSize(4 * counters.threads());

        over.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        counters.sweep();
        assertThat(counters.threads()).isZero();
        assertThat(perf.open).isEmpty();
    }
}
