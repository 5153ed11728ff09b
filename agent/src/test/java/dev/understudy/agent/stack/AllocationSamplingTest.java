package dev.understudy.agent.stack;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Sampling that begins, changes and ends as the operator wants, in this JVM. */
@Timeout(120)
final class AllocationSamplingTest {
    @SuppressWarnings("UnusedVariable") // what is made must be seen
    private static volatile byte @Nullable [] made;

    private final List<Thread> threads = new ArrayList<>();
    private final AllocationSampling sampling = new AllocationSampling("debug-1", () -> false, work -> {
        Thread thread = new Thread(work, "understudy-allocations");
        threads.add(thread);
        thread.start();
    });

    @Test
    void samples_areTakenFromAnOrderOn_atTheRateOfTheLatest_untilNoneAreWanted() throws Exception {
        try {
            assertThat(sampling.limit(0)).isNull();
            assertThat(threads).as("before any are wanted").isEmpty();
            assertThat(sampling.write()).isEmpty();

            assertThat(sampling.limit(100)).isNull();
            awaitBatchWith("\"perSecond\":100,");
            assertThat(sampling.limit(150)).isNull();
            awaitBatchWith("\"perSecond\":150,");
            assertThat(threads).hasSize(1);

            assertThat(sampling.limit(0)).isNull();
            while (!FlightRecorder.getFlightRecorder().getRecordings().isEmpty()) {
                makes();
            }
            sampling.write();
            makes();
            assertThat(sampling.write()).isEmpty();
        } finally {
            sampling.limit(0);
            for (Thread thread : threads) {
                while (thread.isAlive()) {
                    thread.interrupt();
                    thread.join(100);
                }
            }
        }
    }

    private void awaitBatchWith(String text) throws Exception {
        while (!new String(sampling.write(), StandardCharsets.UTF_8).contains(text)) {
            makes();
        }
    }

    private static void makes() {
        assertThat(Thread.currentThread().isInterrupted()).as("took too long").isFalse();
        for (int i = 0; i < 100; i++) {
            made = new byte[1 << 16];
        }
    }
}
