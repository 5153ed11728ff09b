package dev.understudy.agent.budget;

import dev.understudy.agent.bootstrap.Credit;
import dev.understudy.agent.bootstrap.Probes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class CostsTest {
    private final int probe = Probes.CAPACITY / 4 + 7;

    @Test
    void calibration_findsASampleDearerThanACountAndLeavesNothingArmed() {
        Costs costs = Costs.calibrated();

        assertThat(costs.countNanos()).isBetween(0.5, 1_000.0);
        assertThat(costs.sampleNanos(probe)).isGreaterThan(costs.countNanos());
        assertThat(Probes.period(0)).isZero();
    }

    @Test
    void whatSamplesReallyTook_correctsTheirCost() {
        Costs expectedDear = new Costs(2, 1_000, 1_000_000);
        Costs expectedCheap = new Costs(2, 1_000, 0.001);
        Probes.arm(probe, 1);
        Credit.set(100_000);
        for (int i = 0; i < 20_000; i++) {
            Probes.exit(Probes.enter(probe));
        }
        for (int i = 0; i < 20; i++) {
            expectedDear.learn(probe);
            expectedCheap.learn(probe);
        }
        assertThat(expectedDear.sampleNanos(probe)).isLessThan(1_000);
        assertThat(expectedCheap.sampleNanos(probe)).isGreaterThan(1_000);
    }
}
