package dev.understudy.sidecar.window;

import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class OverflowTimeTest {
    @Test
    void closedForm_equalsTheSumOverBirthsAndDeaths() {
        long seed = 20261120;
        Random random = new Random(seed);
        for (int i = 0; i < 2000; i++) {
            double arrival = 0.1 + random.nextDouble() * 100;
            double ratio = switch (i % 4) {
                case 0 -> 1 + (random.nextDouble() - 0.5) * 1e-6;
                case 1 -> 0.05 + random.nextDouble() * 0.9;
                case 2 -> 1.0;
                default -> 1.01 + random.nextDouble();
            };
            int capacity = 1 + random.nextInt(30);
            int waiting = random.nextInt(capacity + 1);
            assertThat(OverflowTime.seconds(arrival, arrival * ratio, capacity, waiting))
                    .as("seed %d, case %d: λ %s, r %s, K %d, m %d", seed, i, arrival, ratio, capacity, waiting)
                    .isCloseTo(sum(arrival, ratio, capacity + 1, waiting), Percentage.withPercentage(0.01));
        }
    }

    @Test
    void overflow_whenArrivalsOutrunServices_isWhatTheGapFills() {
        double seconds = OverflowTime.seconds(1000, 900, 100_000, 0);

        assertThat(seconds).isCloseTo(1000, Percentage.withPercentage(1));
    }

    @Test
    void serviceRate_isTheOneWithWhichItLastsThatLong() {
        Random random = new Random(7);
        for (int i = 0; i < 1_000; i++) {
            double arrival = 0.1 + random.nextDouble() * 1_000;
            double capacity = 1 + random.nextInt(100_000);
            double wanted = (capacity + 1) / arrival * (1 + Math.pow(10, random.nextInt(6)) * random.nextDouble());
            double rate = OverflowTime.serviceRate(arrival, capacity, wanted);
            assertThat(OverflowTime.seconds(arrival, rate, capacity, 0))
                    .as("λ %s, K %s, wanted %s", arrival, capacity, wanted)
                    .isCloseTo(wanted, Percentage.withPercentage(1));
        }
    }

    @Test
    void serviceRate_ofAWindowThatHoldsEverything_isZero() {
        assertThat(OverflowTime.serviceRate(100, 999, 10)).isZero();
        assertThat(OverflowTime.serviceRate(100, 999, 10.1)).isPositive();
    }

    @Test
    void overflow_withRoomToSpare_isNotInSight() {
        assertThat(OverflowTime.words(OverflowTime.seconds(100, 500, 10_000, 3)))
                .isEqualTo("not in sight");
        assertThat(OverflowTime.words(OverflowTime.seconds(0, 500, 10, 3))).isEqualTo("not in sight");
    }

    @Test
    void words_nameHoursMinutesAndSeconds() {
        assertThat(OverflowTime.words(252.9)).isEqualTo("overflows in 4 min 12 s");
        assertThat(OverflowTime.words(0)).isEqualTo("overflows in 0 s");
        assertThat(OverflowTime.words(7_320)).isEqualTo("overflows in 2 h 2 min");
        assertThat(OverflowTime.words(Double.NaN)).isEqualTo("not in sight");
    }

    /** From k to k+1 waiting takes (1 + r + … + rᵏ)/λ on average. */
    private static double sum(double arrival, double ratio, int full, int waiting) {
        double total = 0;
        for (int k = waiting; k < full; k++) {
            double powers = 0;
            for (int j = 0; j <= k; j++) {
                powers += Math.pow(ratio, j);
            }
            total += powers / arrival;
        }
        return total;
    }
}
