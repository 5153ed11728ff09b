package dev.understudy.agent.point;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class LimitTest {
    private static final int THREADS = 8;
    private static final int SHARED = 20_000;

    private long now = 5;

    @Test
    void aSecondsWorth_isToldAtOnce_thenOneAfterEachPause_andAQuietTimeSavesNoMore() {
        Limit limit = new Limit(4, 1000, () -> now);
        assertThat(taken(limit)).isEqualTo(4);
        assertThat(taken(limit)).isZero();

        now += TimeUnit.MILLISECONDS.toNanos(250);
        assertThat(taken(limit)).isEqualTo(1);
        now += TimeUnit.SECONDS.toNanos(60);
        assertThat(taken(limit)).isEqualTo(4);
    }

    @Test
    void lessThanOneASecond_isOneAndThenAPause() {
        Limit limit = new Limit(0.1, 1000, () -> now);
        assertThat(taken(limit)).isEqualTo(1);
        now += TimeUnit.SECONDS.toNanos(9);
        assertThat(taken(limit)).isZero();
        now += TimeUnit.SECONDS.toNanos(1);
        assertThat(taken(limit)).isEqualTo(1);
    }

    @Test
    void theQuota_isNeverExceeded() {
        Limit limit = new Limit(1000, 3, () -> now);
        assertThat(limit.left()).isEqualTo(3);
        assertThat(taken(limit)).isEqualTo(3);
        now += TimeUnit.HOURS.toNanos(1);

        assertThat(taken(limit)).isZero();
        assertThat(limit.left()).isZero();
    }

    /** So often that a race that is hardly ever lost is lost in about every second run. */
    @Test
    void threadsAtTheSameTime_shareOneSecondsWorth_andOneQuota() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (int round = 0; round < 300; round++) {
                assertThat(takenByAll(threads, new Limit(SHARED, 1_000_000, () -> now)))
                        .as("round %d: of a second's worth", round)
                        .isEqualTo(SHARED);
                Limit scarce = new Limit(1_000_000, SHARED, () -> now);
                assertThat(takenByAll(threads, scarce))
                        .as("round %d: of the quota", round)
                        .isEqualTo(SHARED);
                assertThat(scarce.left()).isZero();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static int takenByAll(ExecutorService threads, Limit limit) throws Exception {
        CyclicBarrier begin = new CyclicBarrier(THREADS);
        List<Future<Integer>> counts = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            counts.add(threads.submit(() -> {
                begin.await();
                int taken = 0;
                for (int n = 0; n < SHARED; n++) {
                    taken += limit.take() ? 1 : 0;
                }
                return taken;
            }));
        }
        int taken = 0;
        for (Future<Integer> count : counts) {
            taken += count.get();
        }
        return taken;
    }

    /** How many can be told now, of twenty; that is asked before each. */
    private static int taken(Limit limit) {
        int taken = 0;
        for (int i = 0; i < 20; i++) {
            boolean allowed = limit.allows();
            assertThat(limit.take()).isEqualTo(allowed);
            taken += allowed ? 1 : 0;
        }
        return taken;
    }
}
