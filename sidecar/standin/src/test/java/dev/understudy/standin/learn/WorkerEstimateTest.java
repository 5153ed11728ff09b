package dev.understudy.standin.learn;

import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Requests of a simulated service: first come, first served by so many workers. */
final class WorkerEstimateTest {
    private static final int REQUESTS = 20_000;
    private static final double MEAN_NANOS = 5e6;

    private final long[] arrived = new long[REQUESTS];
    private final long[] ended = new long[REQUESTS];

    /** @param regular whether all requests take as long; otherwise exponentially distributed */
    private void simulate(int workers, double utilisation, boolean regular) {
        SplittableRandom random = new SplittableRandom(11);
        PriorityQueue<Long> free = new PriorityQueue<>();
        long now = 0;
        for (int i = 0; i < REQUESTS; i++) {
            now += (long) (-Math.log(1 - random.nextDouble()) * MEAN_NANOS / (workers * utilisation));
            arrived[i] = now;
            Long first = free.size() == workers ? free.poll() : null;
            long begun = first == null ? now : Math.max(now, first);
            ended[i] = begun + (long) (regular ? MEAN_NANOS : -Math.log(1 - random.nextDouble()) * MEAN_NANOS);
            free.add(ended[i]);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 16})
    void pool_isFoundWhereRequestsWaitForIt(int workers) {
        for (boolean regular : new boolean[] {false, true}) {
            simulate(workers, 0.7, regular);
            assertThat(new WorkerEstimate(arrived, ended).workers())
                    .as("%s", regular)
                    .isEqualTo(workers);
        }
    }

    @Test
    void timesBehindAPool_areTheWorkersOwn() {
        simulate(4, 0.9, false);
        long[] begun = new WorkerEstimate(arrived, ended).begun(4);
        double own = 0;
        double all = 0;
        for (int i = 0; i < REQUESTS; i++) {
            own += (ended[i] - begun[i]) / (double) REQUESTS;
            all += (ended[i] - arrived[i]) / (double) REQUESTS;
        }
        assertThat(own).isBetween(MEAN_NANOS * 0.97, MEAN_NANOS * 1.03);
        assertThat(all).isGreaterThan(MEAN_NANOS * 1.5);
    }

    @Test
    void serviceWithoutALimit_hasNone() {
        for (boolean regular : new boolean[] {false, true}) {
            simulate(200, 0.05, regular);
            assertThat(new WorkerEstimate(arrived, ended).workers())
                    .as("%s", regular)
                    .isZero();
        }
    }

    @Test
    void oneRequestAtATime_showsNoLimit() {
        for (int i = 0; i < REQUESTS; i++) {
            arrived[i] = i * 1_000L;
            ended[i] = arrived[i] + 900;
        }
        assertThat(new WorkerEstimate(arrived, ended).workers()).isZero();
        assertThat(new WorkerEstimate(arrived, ended).begun(0)).isEqualTo(Arrays.copyOf(arrived, REQUESTS));
    }
}
