package dev.understudy.relay.loop;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class PeriodicTaskTest {
    @Test
    void errorsEndNothing() throws InterruptedException {
        CountDownLatch times = new CountDownLatch(5);
        ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        try {
            PeriodicTask.start(thread, "this test", Duration.ZERO, Duration.ofMillis(1), () -> {
                times.countDown();
                throw new OutOfMemoryError("on purpose");
            });
            assertThat(times.await(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            thread.shutdownNow();
        }
    }
}
