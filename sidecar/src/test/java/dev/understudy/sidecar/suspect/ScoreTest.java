package dev.understudy.sidecar.suspect;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class ScoreTest {
    private static final Offset<Double> EXACT = within(1e-6);

    /** 20 of 25 failed where it held, 30 of 150 where it was seen: by hand. */
    @Test
    void figures_areThoseComputedByHand() {
        Score score = new Score(20, 5, 30, 120);

        assertThat(score.failure()).isCloseTo(0.8, EXACT);
        assertThat(score.context()).isCloseTo(0.2, EXACT);
        assertThat(score.increase()).isCloseTo(0.6, EXACT);
        // sensitivity ln 20 / ln 40 = 0.8121; 2 / (1/0.6 + 1/0.8121)
        assertThat(score.importance(40)).isCloseTo(0.690123, within(1e-4));
        // Wilson: held 0.6087..0.9114, other (10 of 125) 0.0440..0.1410; Newcombe 0.72 -0.2008 +0.1171, times 125/150
        assertThat(score.low()).isCloseTo(0.43266, within(1e-3));
        assertThat(score.high()).isCloseTo(0.69756, within(1e-3));
    }

    @Test
    void whatHeldEverywhere_increasesNothing() {
        Score score = new Score(30, 120, 30, 120);

        assertThat(score.increase()).isCloseTo(0, EXACT);
        assertThat(score.low()).isZero();
        assertThat(score.importance(30)).isZero();
    }

    @Test
    void chance_isNeverBelowTheExactProbability() {
        for (int observed = 1; observed <= 40; observed++) {
            for (int failing = 0; failing <= observed; failing++) {
                Score score = new Score(failing, 30, observed, 200);
                double p = (failing + 30.0) / (observed + 200.0);
                double tail = 0;
                double term = Math.pow(1 - p, observed);
                for (int k = 0; k <= observed; k++) {
                    tail += k >= failing ? term : 0;
                    term *= (observed - k) * p / ((k + 1) * (1 - p));
                }
                assertThat(score.chance()).as("%d of %d", failing, observed).isBetween(tail - 1e-9, 1.0);
            }
        }
        assertThat(new Score(17, 398, 17, 1009).chance()).isLessThan(1e-6);
        assertThat(new Score(4, 9, 10, 164).chance()).isGreaterThan(0.01);
    }

    @Test
    void fewExchanges_haveAWideInterval() {
        assertThat(new Score(2, 0, 10, 90).low()).isPositive().isLessThan(0.4);
        assertThat(new Score(1, 1, 10, 90).low()).isNegative();
        assertThat(new Score(0, 0, 10, 90).low()).isZero();
    }

    @Test
    void aShareOfFewerExchanges_countsAsEqualWithinItsError() {
        Score best = new Score(129, 105, 129, 2_823);
        assertThat(new Score(60, 54, 60, 1_400).isAsFailing(best, 0.01)).isTrue();
        assertThat(new Score(600, 620, 600, 2_000).isAsFailing(best, 0.01)).isFalse();
        assertThat(new Score(40, 1, 40, 50).isAsFailing(new Score(40, 0, 40, 50), 0.01))
                .as("0.976, with an error of 0.024")
                .isFalse();
    }
}
