package dev.understudy.agent.budget;

import dev.understudy.agent.bootstrap.measure.Meter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class MeteringTest {
    @AfterEach
    void end() {
        Meter.allow(0, 0);
    }

    @Test
    void aTenthOfTheBudget_decidesHowManySamplesAreMeasured() {
        Metering metering = new Metering(1_000);
        metering.allow(0.1, 50_000);

        assertThat(Meter.oneIn()).as("10 ms a second, of 1 us each").isEqualTo(5);
        assertThat(Meter.price()).isEqualTo(1_000);

        metering.allow(0.1, 100);
        assertThat(Meter.oneIn()).isEqualTo(1);
    }

    @Test
    void whatMeasuringReallyCosts_isLearned_andLeftToIt() {
        DearMeter dear = new DearMeter();
        dear.begin();
        Metering metering = new Metering(1_000);
        dear.measure(50);

        assertThat(metering.learn(0.01)).isGreaterThanOrEqualTo(100.0 * DearMeter.READ_NANOS);
        assertThat(metering.allow(0.1, 1_000)).as("a tenth is what it may have").isCloseTo(0.01, within(1e-9));
        assertThat(Meter.price()).isGreaterThan(DearMeter.READ_NANOS);
        assertThat(Meter.oneIn()).isGreaterThan(1);
    }

    @Test
    void whatIsMeasuredInstead_hasItsOwnPrice_orNone() {
        Metering metering = new Metering(0);
        metering.allow(0.1, 50_000);
        assertThat(Meter.oneIn()).isZero();

        metering.tried(2_000);
        metering.allow(0.1, 50_000);
        assertThat(Meter.oneIn()).isEqualTo(10);
        assertThat(Meter.price()).isEqualTo(2_000);

        metering.tried(0);
        metering.allow(0.1, 50_000);
        assertThat(Meter.oneIn()).isZero();
        assertThat(metering.nanosOfOne()).isZero();
    }

    @Test
    void withoutBudgetOrAnythingToMeasure_noneIs() {
        Metering metering = new Metering(1_000);
        metering.allow(0.1, 100);
        metering.allow(0, 100);
        assertThat(Meter.oneIn()).isZero();

        new Metering(0).allow(0.1, 100);
        assertThat(Meter.oneIn()).isZero();
    }
}
