package dev.understudy.agent.budget;

import dev.understudy.agent.bootstrap.Gates;
import dev.understudy.agent.bootstrap.Probes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Probes 1 to 4 are called by hand, each of a class of its own; counting a call is taken to be dear, so that few are
 * needed.
 */
final class GateKeeperTest {
    private static final long TICK = Governor.TICK_MILLIS * 1_000_000;
    private static final double MAX = 0.2;
    private static final double COUNT_NANOS = 200;
    private static final int TOO_OFTEN = 60_000;
    private static final int GATE = Gates.CAPACITY - 20;

    private long now = 7;
    private int probes = 4;
    private int gates = 5;
    private final Governor governor = governor();

    @AfterEach
    void openGates() {
        int[] all = {GATE, GATE + 1, GATE + 2, GATE + 3, GATE + 4};
        Gates.set(true, all);
        Gates.leaveOut(Arrays.stream(all).boxed().collect(Collectors.toMap(gate -> gate, gate -> new int[0])));
    }

    @Test
    void classesThatAnotherAgentLooksAt_areClosedUntilTheyComeBack() {
        open();
        governor.part(probe -> probe == 3);
        assertThat(Gates.isOpen(GATE + 3)).isFalse();
        assertThat(Gates.isOpen(GATE + 2)).isTrue();
        assertThat(governor.isUnseen(3)).isTrue();
        open();
        assertThat(Gates.isOpen(GATE + 3)).isFalse();

        governor.part(probe -> probe == 2);
        assertThat(Gates.isOpen(GATE + 3)).isTrue();
        assertThat(Gates.isOpen(GATE + 2)).isFalse();
        governor.part(probe -> false);
        assertThat(Gates.isOpen(GATE + 2)).isTrue();
        assertThat(governor.isUnseen(2)).isFalse();
    }

    @Test
    void aClassThatComesLater_isClosedIfAnotherAgentLooksAtIt() {
        governor.part(probe -> probe == 4);
        work(1, 1);
        assertThat(Gates.isOpen(GATE + 4)).isTrue();
        probes = 5;
        work(1, 1);

        assertThat(Gates.isOpen(GATE + 4)).isFalse();
        assertThat(Gates.isOpen(GATE + 3)).isTrue();
    }

    @Test
    void aClassThatIsTooDear_andThatOthersLookAt_isOpenedWhenItIsNeither() {
        open();
        callTooOften();
        assertThat(Gates.isOpen(GATE + 3)).isFalse();
        governor.part(probe -> probe == 3);
        governor.part(probe -> false);
        assertThat(Gates.isOpen(GATE + 3)).as("it is still too dear").isFalse();

        governor.part(probe -> probe == 3);
        rest(301);
        assertThat(Gates.isOpen(GATE + 3)).as("others look at it").isFalse();
        governor.part(probe -> false);
        assertThat(Gates.isOpen(GATE + 3)).isTrue();
    }

    @Test
    void aClassAllOfWhoseProbesAreOff_isClosedUntilOneIsWanted() {
        open();
        governor.stances(probe -> probe == 3 ? Stance.OFF : Stance.FREE);
        assertThat(Gates.isOpen(GATE + 3)).isFalse();
        assertThat(Gates.isOpen(GATE + 2)).isTrue();
        assertThat(governor.isUnseen(3)).isTrue();
        assertThat(governor.standing().closedGates())
                .as("not for the budget's sake")
                .isZero();
        rest(601);
        assertThat(Gates.isOpen(GATE + 3)).as("it isn't looked at again").isFalse();

        int before = Gates.epoch();
        governor.stances(probe -> probe == 3 ? Stance.ARMED : Stance.OFF);
        assertThat(Gates.isOpen(GATE + 3)).isTrue();
        assertThat(Gates.isOpen(GATE + 2)).isFalse();
        assertThat(governor.isUnseen(3)).isFalse();
        assertThat(Gates.epoch()).as("exchanges meanwhile aren't whole").isNotEqualTo(before);
        governor.stances(probe -> Stance.FREE);
        assertThat(Gates.isOpen(GATE + 2)).isTrue();
    }

    @Test
    void aClassOfWhichOneProbeIsWanted_staysOpen_alsoOneThatComesLater() {
        gates = 2;
        open();
        governor.stances(probe -> probe == 2 ? Stance.FREE : Stance.OFF);
        assertThat(Gates.isOpen(GATE)).as("of probes 2 and 4").isTrue();
        assertThat(Gates.isOpen(GATE + 1)).as("of probes 1 and 3").isFalse();

        governor.stances(probe -> probe == 5 ? Stance.FREE : Stance.OFF);
        assertThat(Gates.isOpen(GATE + 1)).isFalse();
        probes = 6;
        work(1, 1);
        assertThat(Gates.isOpen(GATE)).isFalse();
        assertThat(Gates.isOpen(GATE + 1)).as("of probes 1, 3 and 5").isTrue();
    }

    @Test
    void aProbeThatIsOff_isLeftOutByItsOpenGate_untilItIsWanted() throws Throwable {
        gates = 2;
        probes = 5;
        open();
        governor.stances(probe -> probe == 4 ? Stance.OFF : Stance.FREE);
        assertThat(Gates.isOpen(GATE)).isTrue();
        assertThat(counts(GATE, 4)).isFalse();
        assertThat(counts(GATE, 2)).isTrue();

        governor.stances(probe -> probe == 2 ? Stance.OFF : Stance.FREE);
        assertThat(counts(GATE, 4)).isTrue();
        assertThat(counts(GATE, 2)).isFalse();
        governor.stances(probe -> Stance.FREE);
        assertThat(counts(GATE, 2)).isTrue();
    }

    @Test
    void aClassThatComesLater_isClosedIfAllOfItIsOff() {
        governor.stances(probe -> Stance.OFF);
        work(1, 1);
        assertThat(Gates.isOpen(GATE + 4)).isTrue();
        probes = 5;
        governor.reading(new WindowReading(0.05, 10));
        work(1, 1);

        assertThat(Gates.isOpen(GATE + 4)).isFalse();
    }

    @Test
    void whatAClassThatIsOffHasCost_closesNone() {
        open();
        for (int i = 0; i < 8; i++) {
            work(1, 1, 100, 4 * TOO_OFTEN);
        }
        assertThat(Gates.isOpen(GATE + 3)).as("not looked at yet").isTrue();
        governor.stances(probe -> probe == 3 ? Stance.OFF : Stance.FREE);
        work(3, 1, 100, 0);

        assertThat(governor.standing().closedGates()).isZero();
    }

    @Test
    void aClassThatIsTooDear_andOff_isOpenedWhenItIsNeither() {
        open();
        callTooOften();
        governor.stances(probe -> probe == 3 ? Stance.OFF : Stance.FREE);
        governor.stances(probe -> Stance.FREE);
        assertThat(Gates.isOpen(GATE + 3)).as("it is still too dear").isFalse();

        governor.stances(probe -> probe == 3 ? Stance.OFF : Stance.FREE);
        rest(301);
        assertThat(governor.standing().closedGates()).isZero();
        assertThat(Gates.isOpen(GATE + 3)).as("it is off").isFalse();
        governor.part(probe -> probe == 3);
        governor.stances(probe -> Stance.FREE);
        assertThat(Gates.isOpen(GATE + 3)).as("others look at it").isFalse();
        governor.part(probe -> false);
        assertThat(Gates.isOpen(GATE + 3)).isTrue();
    }

    @Test
    void aClassThatIsTooDearAgain_isClosedTwiceAsLong() {
        open();
        callTooOften();
        rest(301);
        callTooOften();
        rest(301);
        assertThat(Gates.isOpen(GATE + 3)).isFalse();
        rest(320);
        assertThat(Gates.isOpen(GATE + 3)).isTrue();
    }

    @Test
    void whileNothingMayBeSampledForLong_countingMayCostLess() {
        for (int i = 0; i < 20; i++) {
            governor.reading(new WindowReading(0.05, 10));
            work(1, 1, 100, 10_000);
        }
        assertThat(Gates.isOpen(GATE + 3)).isTrue();
        for (int i = 0; i < 50; i++) {
            governor.reading(new WindowReading(0.9, 10));
            work(1, 1, 100, Gates.isOpen(GATE + 3) ? 10_000 : 0);
        }
        assertThat(Gates.isOpen(GATE + 3)).isFalse();
        assertThat(Gates.isOpen(GATE + 2)).isTrue();
    }

    @Test
    void whileTheBudgetIsSmallForLong_countingMayCostHalfOfThat() {
        WindowReading lagging = new WindowReading(0.05, 4_000);
        open();
        for (int i = 0; i < 20; i++) {
            governor.reading(i % 10 == 0 ? new WindowReading(0.05, 10) : lagging);
            work(1, 1, 100, 8_000);
        }
        assertThat(Gates.isOpen(GATE + 3)).as("a lag that comes and goes").isTrue();
        for (int i = 0; i < 60; i++) {
            governor.reading(new WindowReading(0.05, 4_000 + i));
            work(1, 1, 100, Gates.isOpen(GATE + 3) ? 8_000 : 0);
        }

        assertThat(governor.standing().budget()).isGreaterThan(0);
        assertThat(Gates.isOpen(GATE + 3)).isFalse();
        assertThat(Gates.isOpen(GATE + 2)).isTrue();
    }

    @Test
    void aClassWhoseCountingIsTooDear_isClosedAndLookedAtAgainLater() {
        open();
        callTooOften();
        assertThat(Gates.isOpen(GATE + 3)).isFalse();
        assertThat(Gates.isOpen(GATE + 2)).isTrue();
        assertThat(governor.standing().closedGates()).isEqualTo(1);

        rest(301);
        assertThat(Gates.isOpen(GATE + 3)).isTrue();
        assertThat(governor.standing().closedGates()).isZero();
    }

    @Test
    void theClassOfAnArmedProbe_isClosedAfterTheOthers_andOpenedWhenItIsArmed() {
        open();
        governor.stances(probe -> probe == 3 ? Stance.ARMED : Stance.FREE);
        for (int i = 0; i < 20; i++) {
            governor.reading(new WindowReading(0.05, 10));
            work(1, 20_000, 20_000, 25_000);
        }
        assertThat(Gates.isOpen(GATE + 3)).isTrue();
        assertThat(Gates.isOpen(GATE + 2)).isFalse();

        governor.stances(probe -> probe == 2 ? Stance.ARMED : Stance.FREE);
        work(11, 1, 100, 100);
        assertThat(Gates.isOpen(GATE + 2)).isTrue();
        work(301, 1, 1, 1);
    }

    private Governor governor() {
        return new Governor(
                new Controller(MAX, now),
                new Costs(COUNT_NANOS, 2000, 0),
                () -> probes,
                probe -> GATE + probe % gates,
                () -> now,
                () -> 0,
                new Observing(100),
                () -> 1,
                new Stacking(20),
                new Metering(0),
                new Quota(0, Duration.ZERO));
    }

    /** Whether a call of the probe is counted that comes by way of the gate. */
    private static boolean counts(int gate, int probe) throws Throwable {
        int before = Probes.hits(probe);
        Object token = Gates.link(MethodHandles.lookup(), "enter", MethodType.methodType(Object.class, int.class), gate)
                .dynamicInvoker()
                .invoke(probe);
        Probes.exit(token);
        return Probes.hits(probe) > before;
    }

    private void open() {
        for (int i = 0; i < 60; i++) {
            governor.reading(new WindowReading(0.05, 10));
            work(1, 1, 100, 500);
        }
    }

    /** Until its class's gate is closed, which would keep the calls away. */
    private void callTooOften() {
        for (int i = 0; i < 20; i++) {
            governor.reading(new WindowReading(0.05, 10));
            work(1, 1, 100, Gates.isOpen(GATE + 3) ? TOO_OFTEN : 0);
        }
    }

    private void rest(int ticks) {
        for (int i = 0; i < ticks; i++) {
            governor.reading(new WindowReading(0.05, 10));
            work(1, 1, 100, 0);
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
