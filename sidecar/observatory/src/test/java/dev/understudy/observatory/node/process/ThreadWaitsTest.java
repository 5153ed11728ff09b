package dev.understudy.observatory.node.process;

import dev.understudy.observatory.node.kernel.KernelText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The threads of this JVM. */
@Tag("process")
final class ThreadWaitsTest {
    private static final Path TASKS = Path.of("/proc/self/task");

    @Test
    void processWithManyThreads_hasThoseFollowedThatRun() {
        assumeTrue(Files.exists(TASKS.resolve("../schedstat")), "skipped: this kernel counts no waits");
        AtomicBoolean stopped = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < ThreadWaits.MOST + 60; i++) {
            threads.add(new Thread(() -> {
                while (!stopped.get()) {
                    LockSupport.parkNanos(20_000_000);
                }
            }));
        }
        threads.forEach(Thread::start);
        try (ThreadWaits waits = new ThreadWaits(TASKS, new KernelText())) {
            double[] row = new double[2];
            Awaitility.await().untilAsserted(() -> {
                waits.look();
                waits.sample(0.1, row, 0);
                assertThat(waits.size()).isEqualTo(ThreadWaits.MOST);
                assertThat(row[0]).isNotNegative();
                assertThat(row[1]).isPositive();
            });
        } finally {
            stopped.set(true);
            threads.forEach(LockSupport::unpark);
        }
    }
}
