package dev.understudy.agent.budget;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** 100 exchanges a second arrive; debug could answer 400 without probes, and has to answer 200. */
@Tag("any-jdk")
final class ProactiveTest {
    private static final long MILLI = 1_000_000L;
    private static final double MAX = 0.5;

    private long now = 3;
    private final Controller controller = new Controller(MAX, now);

    @Test
    void beforeRatesAreKnown_nothingIsArmed() {
        read(new WindowReading.Flow(0, 0, 600_000, -1), 100);
        assertThat(controller.budget()).isZero();
        assertThat(controller.why()).isEqualTo("proactive: rates aren't known yet");
        read(new WindowReading.Flow(100, 400, 600_000, -1), 100);
        assertThat(controller.budget()).isZero();
    }

    @Test
    void aWantedWindow_capsTheBudgetAtWhatTheModelAllows() {
        read(new WindowReading.Flow(100, 400, 600_000, 200), 100);

        assertThat(controller.budget()).isCloseTo(0.25, within(1e-9));
        assertThat(controller.why()).isEqualTo("proactive: for a window of 600 s debug has to answer 200.0/s");
    }

    @Test
    void whatProbesTakeAlready_isNotTakenForTheServicesOwnTime() {
        for (int i = 0; i < 1_000; i++) {
            controller.spent(0.1, 0.1);
        }
        // a tenth of a core is a millisecond of each of 100 exchanges
        read(new WindowReading.Flow(100, 1 / (1 / 400.0 + 0.001), 600_000, 200), 100);

        assertThat(controller.budget()).isCloseTo(0.25, within(1e-4));
    }

    @Test
    void aWindowThatCantBeHad_leavesNothing_andOneThatHoldsEverythingAll() {
        read(new WindowReading.Flow(100, 150, 600_000, 200), 100);
        assertThat(controller.budget()).isZero();
        read(new WindowReading.Flow(100, 150, 1_000, 0), 100);
        assertThat(controller.budget()).isEqualTo(MAX);
    }

    @Test
    void aFillingWindow_stillTakesMore() {
        read(new WindowReading.Flow(100, 400, 600_000, 200), 100);
        now += 100 * MILLI;
        controller.reading(new WindowReading(0.9, 10, -1, new WindowReading.Flow(100, 400, 600_000, 200), true), now);

        assertThat(controller.budget()).isZero();
        assertThat(controller.why()).contains("nearly full");
    }

    private void read(WindowReading.Flow flow, int times) {
        for (int i = 0; i < times; i++) {
            now += 100 * MILLI;
            controller.reading(new WindowReading(0.05, 10, -1, flow, true), now);
        }
    }
}
