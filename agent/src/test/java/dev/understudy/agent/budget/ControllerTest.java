package dev.understudy.agent.budget;

import dev.understudy.agent.Fuzz;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

@Tag("any-jdk")
final class ControllerTest {
    private static final long MILLI = 1_000_000L;
    private static final double MAX = 0.2;
    private static final double FLOOR = MAX / 64;

    private long now = 42;
    private final Controller controller = new Controller(MAX, now);

    @Test
    void anOpenWindow_growsTheBudgetTwofoldToItsMaximum() {
        assertThat(controller.budget()).isZero();
        read(0.05, 10);
        assertThat(controller.budget()).isCloseTo(MAX / 50, within(1e-9));
        for (double expected = MAX / 25; expected < MAX; expected *= 2) {
            read(0.05, 10);
            assertThat(controller.budget()).isCloseTo(expected, within(1e-9));
        }
        read(0.05, 10);
        assertThat(controller.budget()).isEqualTo(MAX);
    }

    @Test
    void afterACut_itGrowsTwofoldToHalfOfWhatItWas_andByStepsFromThere() {
        open();
        read(0.9, 10);
        while (controller.budget() == 0) {
            read(0.05, 10);
        }
        assertThat(controller.budget()).isCloseTo(MAX / 50, within(1e-9));
        for (double expected = MAX / 25; expected < MAX / 2; expected *= 2) {
            read(0.05, 10);
            assertThat(controller.budget()).isCloseTo(expected, within(1e-9));
        }
        read(0.05, 10);
        assertThat(controller.budget()).isCloseTo(MAX / 2, within(1e-9));
        read(0.05, 10);
        assertThat(controller.budget()).isCloseTo(MAX / 2 + MAX / 50, within(1e-9));
    }

    @Test
    void aFullWindow_takesItAllAtOnce() {
        open();
        read(0.9, 10);

        assertThat(controller.budget()).isZero();
        assertThat(controller.why()).contains("nearly full");
    }

    @Test
    void aLongLag_leavesTheFloor() {
        open();
        read(0.05, 5_000);

        assertThat(controller.budget()).isEqualTo(FLOOR);
        assertThat(controller.why()).contains("5.0 s behind");
        for (int i = 0; i < 100; i++) {
            read(0.05, 5_000 + i);
            assertThat(controller.budget()).isEqualTo(FLOOR);
        }
    }

    @Test
    void aLagThatTheOperatorAllows_costsNothing() {
        Controller patient = Controller.of(MAX, 0, Duration.ofSeconds(4), now);
        for (int i = 0; i < 100; i++) {
            patient.reading(new WindowReading(0.05, 10), now += 100 * MILLI);
        }
        assertThat(patient.budget()).isEqualTo(MAX);
        for (long lag = 1_000; lag < 4_000; lag += 500) {
            patient.reading(new WindowReading(0.05, lag), now += 100 * MILLI);
        }
        assertThat(patient.budget()).isEqualTo(MAX);

        patient.reading(new WindowReading(0.05, 4_000), now += 100 * MILLI);
        assertThat(patient.budget()).isEqualTo(MAX / 2);
        patient.reading(new WindowReading(0.05, 20_000), now += 100 * MILLI);
        assertThat(patient.budget()).isEqualTo(FLOOR);
        patient.reading(new WindowReading(0.05, 10), now += 3_000 * MILLI);
        patient.limit(MAX, 0, Duration.ofSeconds(8), now);
        double before = patient.budget();
        patient.reading(new WindowReading(0.05, 2_000), now += 100 * MILLI);
        assertThat(patient.budget()).as("may be told otherwise meanwhile").isGreaterThan(before);
        patient.reading(new WindowReading(0.9, 10), now += 100 * MILLI);
        assertThat(patient.budget()).isZero();
    }

    @Test
    void aGrowingLag_halvesAndAShrinkingOneHolds() {
        open();
        read(0.05, 1_000);
        assertThat(controller.budget()).isEqualTo(MAX / 2);
        read(0.05, 2_000);
        read(0.05, 3_000);
        for (long lag = 3_000; lag > 1_000; lag -= 50) {
            read(0.05, lag);
        }
        assertThat(controller.budget()).isEqualTo(MAX / 4);
        assertThat(controller.why()).isEqualTo("holding");
    }

    @Test
    void aGrowingLag_leavesAnEighth_whileTheWindowHasRoom() {
        open();
        for (long lag = 1_000; lag < 5_000; lag += 10) {
            read(0.05, lag);
        }
        assertThat(controller.budget()).isEqualTo(MAX / 8);
    }

    @Test
    void aHighWindow_halvesDownToTheFloor() {
        open();
        fillSlowlyTo(0.6);
        for (int i = 0; i < 40; i++) {
            read(0.6, 10);
        }
        assertThat(controller.budget()).isEqualTo(FLOOR);
    }

    @Test
    void aRisingWindow_isJudgedByWhereItWillBe() {
        open();
        for (double utilisation = 0.05; utilisation < 0.5; utilisation += 0.08) {
            read(utilisation, 10);
        }
        assertThat(controller.budget()).isZero();
        assertThat(controller.why()).contains("within a second");
    }

    /**
     * The sidecar looks and tells ten times a second: two readings after it began, a quarter of a second has not gone
     * by.
     */
    @Test
    void aWindowThatBeginsToFill_takesBudgetWithinTwoReadings() {
        for (double perReading : new double[] {0.05, 0.1, 0.2}) {
            open();
            double before = controller.budget();
            for (double utilisation = 0; utilisation < 0.25 + 2 * perReading; utilisation += perReading) {
                read(utilisation, 10);
            }
            assertThat(controller.budget()).as("%s a reading", perReading).isLessThanOrEqualTo(before / 2);
            for (int i = 0; i < 30; i++) {
                read(0.05, 10);
            }
        }
    }

    @Test
    void betweenTheMarks_itShrinksUntilTheBacklogDoes() {
        open();
        fillSlowlyTo(0.3);
        double before = controller.budget();
        read(0.3, 10);
        assertThat(controller.budget()).isCloseTo(before - MAX / 50, within(1e-9));
        assertThat(controller.why()).contains("shrinking");
        before = controller.budget();
        for (double utilisation = 0.299; utilisation > 0.25; utilisation -= 0.001) {
            read(utilisation, 10);
        }
        assertThat(controller.budget()).isEqualTo(before).isPositive();
        assertThat(controller.why()).isEqualTo("holding");
    }

    @Test
    void afterZero_itGrowsOnlyAfterTwoGoodSeconds() {
        open();
        read(0.95, 10);
        for (int i = 0; i < 19; i++) {
            read(0.05, 10);
            assertThat(controller.budget()).isZero();
        }
        read(0.05, 10);
        read(0.05, 10);
        assertThat(controller.budget()).isPositive();
    }

    @Test
    void silence_takesTheBudgetAndTheNextWordBringsItBack() {
        open();
        now += 999 * MILLI;
        controller.tick(now);
        assertThat(controller.budget()).isPositive();
        now += 2 * MILLI;
        controller.tick(now);
        assertThat(controller.budget()).isZero();
        assertThat(controller.last()).isNull();
        assertThat(controller.why()).isEqualTo("no word from the sidecar");
        open();
        assertThat(controller.budget()).isEqualTo(MAX);
    }

    @Test
    void anyReadings_keepTheBudgetBetweenZeroAndItsMaximum() {
        Random random = new Random(3);
        for (int i = 0; i < Fuzz.rounds(20_000); i++) {
            read(random.nextInt(10) == 0 ? random.nextDouble() * 1e6 : random.nextDouble(), random.nextInt(8_000));
            now += random.nextInt(400) * MILLI;
            controller.tick(now);
            assertThat(controller.budget()).isBetween(0.0, MAX);
        }
    }

    /** A debug JVM whose probes cost more than there is room for: the window must not overflow, nor stay unused. */
    @Test
    void aServiceNearItsCapacity_isKeptFromOverflowing() {
        double capacity = 200;
        double pending = 0;
        double most = 0;
        double granted = 0;
        for (int tick = 0; tick < 6_000; tick++) {
            double arrivals = 90 * 0.1 * (tick % 300 < 30 ? 1.5 : 1);
            double serves = 100 * 0.1 * (1 - 2.5 * controller.budget());
            pending = Math.max(0, pending + arrivals - serves);
            most = Math.max(most, pending);
            read(pending / capacity, (long) (pending * 10));
            granted += controller.budget();
        }
        assertThat(most).isLessThan(capacity);
        assertThat(granted / 6_000).isGreaterThan(0.005);
    }

    private void fillSlowlyTo(double full) {
        for (double utilisation = 0.05; utilisation < full; utilisation += 0.005) {
            read(utilisation, 10);
        }
    }

    private void open() {
        for (int i = 0; i < 90; i++) {
            read(0.05, 10);
        }
    }

    private void read(double utilisation, long lag) {
        now += 100 * MILLI;
        controller.reading(new WindowReading(utilisation, lag), now);
    }
}
