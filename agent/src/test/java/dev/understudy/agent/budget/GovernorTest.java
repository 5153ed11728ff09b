package dev.understudy.agent.budget;

import dev.understudy.agent.bootstrap.Gates;
import dev.understudy.agent.bootstrap.Probes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Probes 1 to 3 are called by hand; their costs are given, not measured. */
final class GovernorTest {
    private static final long TICK = Governor.TICK_MILLIS * 1_000_000;
    private static final double MAX = 0.2;
    private static final int GATE = Gates.CAPACITY - 10;

    private long now = 7;
    private long ownCpu;
    private final Governor governor = new Governor(
            new Controller(MAX, now),
            new Costs(2, 2000, 0),
            () -> 4,
            probe -> GATE + probe,
            () -> now,
            () -> ownCpu,
            new Observing(100));

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
        assertThat(governor.hitsPerSecond(3)).isBetween(400_000.0, 600_000.0);
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

    @Test
    void aReadingThatTakesTheBudget_disarmsBeforeItReturns() {
        open();
        governor.reading(new WindowReading(0.9, 10));

        assertThat(Probes.period(1)).isZero();
        assertThat(Probes.period(2)).isZero();
        assertThat(Probes.period(3)).isZero();
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

    @Test
    void aClassWhoseCountingIsTooDear_isClosedAndLookedAtAgainLater() {
        open();
        for (int i = 0; i < 20; i++) {
            governor.reading(new WindowReading(0.05, 10));
            work(1, 1, 100, 6_000_000);
        }
        assertThat(Gates.isOpen(GATE + 3)).isFalse();
        assertThat(Gates.isOpen(GATE + 2)).isTrue();
        assertThat(governor.standing().closedGates()).isEqualTo(1);

        for (int i = 0; i < 301; i++) {
            governor.reading(new WindowReading(0.05, 10));
            work(1, 1, 100, 0);
        }
        assertThat(Gates.isOpen(GATE + 3)).isTrue();
        assertThat(governor.standing().closedGates()).isZero();
    }

    private void open() {
        for (int i = 0; i < 60; i++) {
            governor.reading(new WindowReading(0.05, 10));
            work(1, 1, 100, 50_000);
        }
    }

    /** So many ticks, with so many calls of each probe in each. */
    private void work(int ticks, int... calls) {
        for (int tick = 0; tick < ticks; tick++) {
            now += TICK;
            for (int probe = 0; probe < calls.length; probe++) {
                for (int i = 0; i < calls[probe]; i++) {
                    Probes.exit(Probes.enter(probe + 1));
                }
            }
            governor.tick();
        }
    }
}
