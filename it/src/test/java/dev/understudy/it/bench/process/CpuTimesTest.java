package dev.understudy.it.bench.process;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class CpuTimesTest {
    private static final ThreadMXBean JVM = ManagementFactory.getThreadMXBean();
    private static final long WORK = TimeUnit.MILLISECONDS.toNanos(150);
    private static final long SLACK = TimeUnit.MILLISECONDS.toNanos(60);

    private final CountDownLatch over = new CountDownLatch(1);

    @Test
    void time_isThatOfTheThreadsWhoseNamesBeginSo() throws Exception {
        CpuTimes before = now();
        AtomicLong relay = new AtomicLong();
        Thread first = work("relay-1", relay);
        Thread second = work("relay-2", relay);
        Thread other = work("lane-1", new AtomicLong());
        CpuTimes after = now();
        over.countDown();
        first.join();
        second.join();
        other.join();

        assertThat(after.since(before, "relay-")).isBetween(relay.get() - SLACK, relay.get() + SLACK);
        assertThat(after.since(before, "lane-")).isBetween(WORK - SLACK, WORK + SLACK);
        assertThat(after.since(before, "")).isGreaterThan(3 * WORK - SLACK);
    }

    /** A JVM ends compiler threads that have nothing to do. */
    @Test
    void threadThatEnds_takesNothingAwayFromTheOthers() throws Exception {
        Thread ends = work("relay-ends", new AtomicLong());
        CpuTimes before = now();
        over.countDown();
        ends.join();
        long begun = System.nanoTime();
        while (now().byThread().values().stream().anyMatch(task -> task.name().equals("relay-ends"))) {
            assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(60));
        }
        assertThat(now().since(before, "relay-")).isZero();
        assertThat(now().since(before, "")).isPositive();
    }

    @Test
    @Tag("process")
    void children_count() throws Exception {
        CpuTimes before = now();
        Process child =
                new ProcessBuilder("sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; exec cat").start();
        try {
            long begun = System.nanoTime();
            while (now().since(before, "cat") == 0) {
                assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(60));
            }
            assertThat(now().since(before, "cat")).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(20));
        } finally {
            child.destroyForcibly().waitFor();
        }
    }

    private static CpuTimes now() {
        return CpuTimes.of(List.of(ProcessHandle.current()));
    }

    /** A thread that has worked for a while by the time this returns, and waits then. */
    private Thread work(String name, AtomicLong worked) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        Thread thread = new Thread(
                () -> {
                    while (JVM.getCurrentThreadCpuTime() < WORK) {
                        Thread.onSpinWait();
                    }
                    worked.addAndGet(JVM.getCurrentThreadCpuTime());
                    done.countDown();
                    try {
                        over.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        return thread;
    }
}
