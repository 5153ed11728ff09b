package dev.understudy.divergence.latency;

import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

final class PercentileTestTest {

    /**
     * Fisher's tea tasting (The Design of Experiments, 1935): 3 of 4 cups right has 17/70 on one side, 34/70 on both.
     */
    @Test
    void fisher_hasThePublishedProbability() {
        assertThat(PercentileTest.fisher(4, 4, 4, 3)).isCloseTo(34 / 70.0, within(1e-12));
        assertThat(PercentileTest.fisher(4, 4, 4, 4)).isCloseTo(2 / 70.0, within(1e-12));
    }

    @Test
    void fisher_agreesWithCountingAllWays() {
        for (int seed = 1; seed <= 300; seed++) {
            Random random = new Random(seed);
            int n = 1 + random.nextInt(9);
            int m = 1 + random.nextInt(9);
            int k = random.nextInt(n + m + 1);
            int least = Math.max(0, k - m);
            int seen = least + random.nextInt(Math.min(k, n) - least + 1);
            double unlikely = 0;
            for (int x = least; x <= Math.min(k, n); x++) {
                boolean counts = ways(n, x) * ways(m, k - x) <= ways(n, seen) * ways(m, k - seen);
                unlikely += counts ? ways(n, x) * ways(m, k - x) : 0;
            }
            assertThat(PercentileTest.fisher(n, m, k, seen))
                    .as("seed " + seed)
                    .isCloseTo(unlikely / ways(n + m, k), within(1e-9));
        }
    }

    @Test
    void longerTail_isFound_whereTheMiddleIsTheSame() {
        LatencySample production = LatencySample.counted(Map.of(1.0, 9850L, 10.0, 150L));
        LatencySample debug = LatencySample.counted(Map.of(1.0, 9950L, 8.0, 50L));

        PercentileTest found = PercentileTest.compare(99, production, debug);

        assertThat(found.production()).isEqualTo(10);
        assertThat(found.debug()).isEqualTo(1);
        assertThat(found.change()).isCloseTo(-0.9, within(1e-12));
        assertThat(found.p()).isLessThan(1e-9);
        assertThat(PercentileTest.compare(50, production, debug).change()).isZero();
    }

    @Test
    void hugeSamples_takeNoTime() {
        LatencySample production = LatencySample.counted(Map.of(1.0, 500_000_000L, 2.0, 500_000_000L));
        assertThat(PercentileTest.compare(25, production, production).p()).isCloseTo(1, within(1e-6));
    }

    @Test
    void percentiles_areValuesThatWereMeasured() {
        LatencySample sample = LatencySample.of(5, 1, 4, 2, 3);
        assertThat(sample.percentile(50)).isEqualTo(3);
        assertThat(sample.percentile(60)).isEqualTo(3);
        assertThat(sample.percentile(61)).isEqualTo(4);
        assertThat(sample.percentile(100)).isEqualTo(5);
        assertThat(sample.percentile(0.1)).isEqualTo(1);
        assertThat(sample.atMost(3.5)).isEqualTo(3);
        assertThatThrownBy(() -> LatencySample.of().percentile(50)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> LatencySample.counted(Map.of(1.0, 0L))).hasMessageContaining("more than 0 times");
    }

    private static double ways(int of, int chosen) {
        double ways = 1;
        for (int i = 1; i <= chosen; i++) {
            ways = ways * (of - chosen + i) / i;
        }
        return ways;
    }
}
