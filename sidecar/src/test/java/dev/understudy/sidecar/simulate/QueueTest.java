package dev.understudy.sidecar.simulate;

import dev.understudy.sidecar.simulate.Queue.Arrivals;
import dev.understudy.sidecar.window.OverflowTime;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

final class QueueTest {
    private static final double FOR_EVER = 1e12;

    /**
     * Below, at and above saturation, and a queue of one. Four half-widths: one in ten thousand would miss by chance.
     */
    @Test
    void simulatedTimes_agreeWithTheClosedForm() {
        double[][] cases = {{20, 10, 50}, {10, 10, 20}, {10, 12, 15}, {10, 30, 4}, {5, 5, 1}, {17, 3.75, 209}};
        for (double[] one : cases) {
            Queue queue = new Queue(Arrivals.POISSON, one[0], one[1], (long) one[2]);
            Overflows simulated = Overflows.of(queue, 2000, FOR_EVER, 7);
            double closed = OverflowTime.seconds(one[0], one[1], one[2], 0);

            assertThat(simulated.all()).isTrue();
            assertThat(simulated.mean())
                    .as("seed 7: " + queue + " " + simulated)
                    .isCloseTo(closed, within(2 * simulated.halfWidth()));
            assertThat(simulated.halfWidth()).isLessThan(closed / 10);
        }
    }

    @Test
    void steadyArrivals_overflowWhenTheBacklogIsFull() {
        // 10 arrive and 5 are answered each second: the 20th request finds 10 of the others still there
        Queue queue = new Queue(Arrivals.STEADY, 10, 5, 10);
        assertThat(queue.overflowsAfter(new SplittableRandom(1), FOR_EVER)).isCloseTo(2.0, within(0.11));
        assertThat(new Queue(Arrivals.STEADY, 10, 10, 1).overflowsAfter(new SplittableRandom(1), FOR_EVER))
                .isInfinite();
    }

    @Test
    void runs_areEndedAtTheHorizon() {
        Queue lasting = new Queue(Arrivals.POISSON, 10, 100, 50);
        Overflows none = Overflows.of(lasting, 3, 100, 1);
        assertThat(none.overflowed()).isZero();
        assertThat(none.mean()).isNaN();

        Queue borderline = new Queue(Arrivals.POISSON, 10, 10, 20);
        assertThat(Overflows.of(borderline, 200, 15, 1).overflowed()).isBetween(1, 199);
    }

    @Test
    void theSameSeed_givesTheSameTimes() {
        Queue queue = new Queue(Arrivals.POISSON, 10, 8, 30);
        assertThat(Overflows.of(queue, 20, FOR_EVER, 3)).isEqualTo(Overflows.of(queue, 20, FOR_EVER, 3));
        assertThat(Overflows.of(queue, 20, FOR_EVER, 3)).isNotEqualTo(Overflows.of(queue, 20, FOR_EVER, 4));
    }

    @Test
    void interval_isStudents() {
        Overflows three = Overflows.of(new double[] {1, 2, 3, Double.POSITIVE_INFINITY});
        assertThat(three.overflowed()).isEqualTo(3);
        assertThat(three.mean()).isEqualTo(2);
        assertThat(three.halfWidth()).isCloseTo(4.303 / Math.sqrt(3), within(1e-9));
    }

    @Test
    void whatIsNoQueue_isRefused() {
        assertThatThrownBy(() -> new Queue(Arrivals.POISSON, 0, 1, 1)).hasMessageContaining("expected: > 0");
        assertThatThrownBy(() -> new Queue(Arrivals.POISSON, 1, Double.NaN, 1)).hasMessageContaining("expected: > 0");
        assertThatThrownBy(() -> new Queue(Arrivals.POISSON, 1, 1, 0)).hasMessageContaining("capacity: 0");
    }
}
