package dev.understudy.agent.budget;

import dev.understudy.agent.bootstrap.Gates;
import dev.understudy.agent.bootstrap.Observations;
import dev.understudy.agent.bootstrap.Probes;
import dev.understudy.agent.bootstrap.Timings;
import dev.understudy.agent.bootstrap.measure.Quotas;
import java.time.Duration;
import java.util.BitSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Probes 1 to 3 are called by hand; their costs are given, not measured. */
final class GovernorTest {
    private static final long TICK = Governor.TICK_MILLIS * 1_000_000;
    private static final double MAX = 0.2;
    private static final int GATE = Gates.CAPACITY - 10;

    private long now = 7;
    private long ownCpu;
    private final Stacking stacking = new Stacking(20);
    private final Governor governor = governor(2000);

    @AfterEach
    void openGates() {
        Gates.set(true, GATE + 1, GATE + 2, GATE + 3);
        Quotas.credit(0);
    }

    @Test
    void beforeTheSidecarsFirstWord_nothingIsArmed() {
        work(10, 1, 100, 20_000);

        assertThat(Probes.period(1)).isZero();
        assertThat(governor.standing().why()).contains("waiting");
    }

    @Test
    void anOpenWindow_armsRareProbesFullyAndFrequentOnesRarely() {
        open();

        assertThat(Probes.period(1)).isEqualTo(1);
        assertThat(Probes.period(3)).isGreaterThan(4).isGreaterThan(Probes.period(2));
        assertThat(governor.standing().price()).isPositive();
        assertThat(governor.standing().samplesPerSecond()).isBetween(1000.0, 200_000.0);
        assertThat(governor.hitsPerSecond(3)).isBetween(400_000.0, 600_000.0);
    }

    @Test
    void aFavouredProbe_getsMoreSamplesThanOneThatIsHitAsOften() {
        BitSet favoured = new BitSet();
        favoured.set(2);
        governor.favour(favoured);
        for (int i = 0; i < 60; i++) {
            governor.reading(new WindowReading(0.05, 10));
            work(1, 1, 50_000, 50_000);
        }

        assertThat(Probes.period(3)).isGreaterThan(4 * Probes.period(2));
    }

    @Test
    void theBudget_isWhatSamplesAndCountsCostTogether() {
        open();
        double perSecond = 0;
        double counts = 0;
        for (int probe = 1; probe <= 3; probe++) {
            double hits = governor.hitsPerSecond(probe);
            perSecond += hits / Probes.period(probe) * governor.sampleNanos(probe) / 1e9;
            counts += hits * 2 / 1e9;
        }
        assertThat(perSecond + counts).isBetween(MAX * 0.8, MAX * 1.1);
    }

    /**
     * Four million calls a second, 2 ns each, are more than twice the floor; a lag of minutes mustn't make the debug
     * JVM blind.
     */
    @Test
    void countingThatCostsTheWholeFloor_leavesSamplesToIt() {
        open();
        for (int i = 0; i < 60; i++) {
            governor.reading(new WindowReading(0.05, 100_000));
            work(1, 1, 100, 400_000);
        }

        assertThat(governor.standing().budget()).isEqualTo(MAX / 64);
        assertThat(governor.standing().why()).contains("counting");
        assertThat(Probes.period(1)).isEqualTo(1);
        assertThat(Probes.period(3)).isPositive();
        assertThat(Observations.period()).isPositive();
    }

    @Test
    void aReadingThatTakesTheBudget_disarmsBeforeItReturns() {
        open();
        governor.reading(new WindowReading(0.9, 10));

        assertThat(Probes.period(1)).isZero();
        assertThat(Probes.period(2)).isZero();
        assertThat(Probes.period(3)).isZero();
        assertThat(stacking.perSecond()).isZero();
    }

    @Test
    void whatMeasuringTakes_isCharged() {
        DearMeter meter = new DearMeter();
        meter.begin();
        open();
        double before = governor.standing().spent();
        for (int i = 0; i < 30; i++) {
            meter.measure(100);
            governor.reading(new WindowReading(0.05, 10));
            work(1, 1, 100, 50_000);
        }
        assertThat(governor.standing().spent()).isGreaterThan(before + 0.02);
    }

    @Test
    void whatProbesTake_isNotTakenForTheServicesOwnTime() {
        WindowReading wanted = new WindowReading(0.05, 10, -1, new WindowReading.Flow(100, 286, 600_000, 250), true);
        for (int i = 0; i < 300; i++) {
            stacking.took(TICK / 10);
            governor.reading(wanted);
            work(1, 1);
        }
        assertThat(governor.standing().budget())
                .as("5 % more than the tenth that is used")
                .isBetween(0.12, 0.16);
    }

    @Test
    void theQuota_endsWithTheBudget() {
        Governor some = governor(new Controller(MAX, now), 2_000, new Quota(3, Duration.ofSeconds(1)));
        open(some);
        rest(some, 11);
        assertThat(Quotas.take(3)).isTrue();
        some.reading(new WindowReading(0.9, 10));

        assertThat(Quotas.has(3)).isTrue();
        assertThat(Quotas.take(3)).isFalse();
    }

    @Test
    void fixedSampling_isNeitherLoweredByTheWindowNorByItsCost() {
        Governor fixed = governor(Controller.of(MAX, 10, Controller.LAG, now), 8_000_000);
        open(fixed);
        fixed.reading(new WindowReading(0.95, 9_000));
        work(fixed, 1, 1, 100, 50_000);

        assertThat(Probes.period(1)).isEqualTo(10);
        assertThat(Probes.period(3)).isEqualTo(10);
        assertThat(Observations.period()).isEqualTo(10);
        assertThat(stacking.perSecond()).isEqualTo(20);
        assertThat(fixed.standing().why()).isEqualTo("fixed sampling, 1/10: the window isn't heeded");
        assertThat(fixed.standing().samplesPerSecond()).isBetween(40_000.0, 60_000.0);
        fixed.stances(probe -> probe == 3 ? Stance.OFF : Stance.FREE);
        assertThat(Probes.period(3)).isZero();
    }

    @Test
    void otherLimits_holdAtOnce_andClosedGatesOpenForFixedSampling() {
        Governor closing = governor(new Controller(0.002, now), 2_000);
        for (int i = 0; i < 30; i++) {
            closing.reading(new WindowReading(0.05, 10));
            work(closing, 1, 1, 100, 400_000);
        }
        assertThat(closing.standing().closedGates()).isPositive();
        closing.limit(MAX, 10, Controller.LAG);
        assertThat(closing.standing().closedGates()).isZero();
        assertThat(Probes.period(3)).isEqualTo(10);
        assertThat(closing.standing().budget()).isEqualTo(MAX);

        closing.limit(0.1, 0, Controller.LAG);
        assertThat(closing.standing().budget()).as("begins anew").isZero();
        assertThat(Probes.period(3)).isZero();
        open(closing);
        assertThat(closing.standing().budget()).isEqualTo(0.1);
        closing.limit(0.05, 0, Controller.LAG);
        assertThat(closing.standing().budget()).isEqualTo(0.05);
        assertThat(closing.standing().max()).isEqualTo(0.05);
        closing.quota(new Quota(3, Duration.ofSeconds(1)));
        open(closing);
        assertThat(Quotas.take(1)).isTrue();
    }

    @Test
    void fixedSampling_afterABudgetThatCountingUsedUp_saysNothingOfThatAnyMore() {
        open();
        for (int i = 0; i < 60; i++) {
            governor.reading(new WindowReading(0.05, 100_000));
            work(1, 1, 100, 400_000);
        }
        assertThat(governor.standing().why()).contains("counting");
        assertThat(governor.standing().price()).isPositive();

        governor.limit(MAX, 10, Controller.LAG);

        assertThat(governor.standing().why()).isEqualTo("fixed sampling, 1/10: the window isn't heeded");
        assertThat(governor.standing().price()).as("nothing is divided").isZero();
    }

    @Test
    void stacks_areTakenAsTheBudgetAllows_andAreCharged() {
        open();
        assertThat(stacking.perSecond()).isEqualTo(20);
        double before = governor.standing().spent();

        for (int i = 0; i < 40; i++) {
            stacking.took(TICK / 10);
            governor.reading(new WindowReading(0.05, 10));
            work(1, 1, 100, 50_000);
        }
        assertThat(governor.standing().spent()).isGreaterThan(before + 0.04);
        assertThat(stacking.perSecond()).isLessThan(5);
    }

    @Test
    void theAgentsOwnThreads_leaveLessForProbes() {
        open();
        int before = Probes.period(3);
        for (int i = 0; i < 40; i++) {
            ownCpu += TICK / 8;
            governor.reading(new WindowReading(0.05, 10));
            work(1, 1, 100, 50_000);
        }
        assertThat(Probes.period(3)).isGreaterThan(before * 3 / 2);
    }

    /** As in their first seconds, in which they run what no JIT has compiled yet. */
    @Test
    void ownThreadsThatCostAllOfTheBudget_leaveAnEighthToLookAtAll() {
        open();
        for (int i = 0; i < 40; i++) {
            ownCpu += TICK / 4;
            governor.reading(new WindowReading(0.05, 10));
            work(1, 1, 100, 50_000);
        }

        assertThat(governor.standing().samplesPerSecond() * 2000 / 1e9).isBetween(MAX / 16, MAX / 8 * 1.05);
        assertThat(governor.standing().why()).contains("exporting");
        assertThat(Observations.period()).isPositive();
    }

    @Test
    void anArmedProbe_hasMoreOfAScarceBudgetThanItsShare() {
        Governor scarce = governor(8_000_000);
        open(scarce);
        int before = Probes.period(3);
        scarce.stances(probe -> probe == 3 ? Stance.ARMED : Stance.FREE);
        assertThat(scarce.count(Stance.ARMED)).isEqualTo(1);
        open(scarce);

        assertThat(Probes.period(3)).isBetween(1, before * 4 / 5);
        double cost = 0;
        for (int probe = 1; probe <= 3; probe++) {
            cost += scarce.hitsPerSecond(probe) / Probes.period(probe) * scarce.sampleNanos(probe) / 1e9;
        }
        assertThat(cost).as("within the budget all the same").isLessThan(MAX * 1.1);
    }

    @Test
    void aProbeThatIsOff_isNotSeenAnyMore_untilItIsFree() {
        open();
        governor.stances(probe -> probe == 2 ? Stance.OFF : Stance.FREE);
        assertThat(Probes.period(2)).isZero();
        assertThat(governor.isUnseen(2)).isTrue();
        assertThat(governor.isUnseen(1)).isFalse();
        int hits = Probes.hits(2);
        open();
        assertThat(Probes.hits(2)).isEqualTo(hits);
        assertThat(Probes.period(2)).isZero();
        assertThat(Probes.period(1)).isPositive();

        governor.stances(probe -> Stance.FREE);
        assertThat(Probes.period(2)).isPositive();
        open();
        assertThat(Probes.hits(2)).isGreaterThan(hits);
    }

    @Test
    void aBurstOfThreeCalls_isSampledInFull_thoughOthersTakeTheBudget() {
        Governor tiny = governor(new Controller(0.002, now), 10_000, new Quota(3, Duration.ofSeconds(1)));
        int missed = 0;
        double samples = 0;
        for (int second = 0; second < 20; second++) {
            for (int tick = 0; tick < 10; tick++) {
                tiny.reading(new WindowReading(0.05, 10));
                int before = Timings.samples(1) + Timings.samples(2);
                // what others do comes first and uses up what may be sampled until the next tick
                work(tiny, 1, second % 5 == 0 ? 100 : 0, 20_000);
                samples += second < 5 ? 0 : Timings.samples(1) + Timings.samples(2) - before;
            }
            int before = Timings.samples(1);
            Probes.exit(Probes.enter(2));
            for (int i = 0; i < 3; i++) {
                Probes.exit(Probes.enter(1));
            }
            missed += second % 5 < 2 ? 0 : 3 - (Timings.samples(1) - before);
        }
        assertThat(missed).isZero();
        assertThat(samples / 15 * 10_000 / 1e9).as("cores").isLessThan(0.002 * 1.2);
    }

    private Governor governor(double sampleNanos) {
        return governor(new Controller(MAX, now), sampleNanos);
    }

    private Governor governor(Controller controller, double sampleNanos) {
        return governor(controller, sampleNanos, new Quota(0, Duration.ZERO));
    }

    private Governor governor(Controller controller, double sampleNanos, Quota quota) {
        return new Governor(
                controller,
                new Costs(2, sampleNanos, 0),
                () -> 4,
                probe -> GATE + probe,
                () -> now,
                () -> ownCpu,
                new Observing(100),
                () -> 1,
                stacking,
                new Metering(0),
                quota);
    }

    private void open() {
        open(governor);
    }

    private void open(Governor opened) {
        for (int i = 0; i < 60; i++) {
            opened.reading(new WindowReading(0.05, 10));
            work(opened, 1, 1, 100, 50_000);
        }
    }

    private void rest(Governor rested, int ticks) {
        for (int i = 0; i < ticks; i++) {
            rested.reading(new WindowReading(0.05, 10));
            work(rested, 1, 1, 100, 0);
        }
    }

    /** So many ticks, with so many calls of each probe in each. */
    private void work(int ticks, int... calls) {
        work(governor, ticks, calls);
    }

    private void work(Governor ticked, int ticks, int... calls) {
        for (int tick = 0; tick < ticks; tick++) {
            now += TICK;
            for (int probe = 0; probe < calls.length; probe++) {
                for (int i = 0; i < calls[probe]; i++) {
                    Probes.exit(Probes.enter(probe + 1));
                }
            }
            ticked.tick();
        }
    }
}
