package dev.understudy.observatory.node;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What depends on time, with clocks that are moved by hand. */
final class SampleClockTest {
    private static final long WALL = 1_795_812_596_000_000L;

    private long wall = WALL;
    private long nanos = -5_000_000_000L;
    private long cost;

    private SampleClock clock() {
        return new SampleClock(() -> wall, () -> nanos += cost);
    }

    private void pass(long micros) {
        wall += micros;
        nanos += micros * 1000;
    }

    @Test
    void time_isTheWallClocks_asLongAsNobodySetsIt() {
        SampleClock clock = clock();
        pass(3_600_000_000L);
        assertThat(clock.step()).isZero();
        assertThat(clock.micros(nanos)).isEqualTo(WALL + 3_600_000_000L);
    }

    @Test
    void clockThatIsSet_isSeenOnce_andFollowed() {
        SampleClock clock = clock();
        pass(1_000_000);
        wall -= 2_500;
        assertThat(clock.micros(nanos)).isEqualTo(WALL + 1_000_000);
        assertThat(clock.step()).isEqualTo(-2_500);
        assertThat(clock.step()).isZero();
        assertThat(clock.micros(nanos)).isEqualTo(wall);
        wall += 3_600_000_000L;
        assertThat(clock.step()).isEqualTo(3_600_000_000L);
    }

    @Test
    void smallDifference_isNone_andAReadingThatTookLongShowsNothing() {
        SampleClock clock = clock();
        wall += SampleClock.STEP;
        assertThat(clock.step()).isZero();
        wall += 5_000;
        long before = nanos;
        cost = 300_000;
        assertThat(clock.step()).isZero();
        cost = 0;
        nanos = before;
        assertThat(clock.step()).isEqualTo(SampleClock.STEP + 5_000);
    }

    @Test
    void ticks_areMultiplesOfThePeriod_andMissedOnesAreLeftOut() {
        TickSchedule ticks = new TickSchedule(-1_000, 50);
        assertThat(ticks.after(-1_000)).isEqualTo(-950);
        assertThat(ticks.after(-951)).isEqualTo(-950);
        assertThat(ticks.after(-950)).isEqualTo(-900);
        assertThat(ticks.after(1_234)).isEqualTo(1_250);
        assertThat(ticks.after(-2_000)).isEqualTo(-1_000);
    }

    @Test
    void notices_areOneAMinute_orEachTextOnce() {
        StringWriter text = new StringWriter();
        Notices notices = new Notices(new PrintWriter(text), () -> nanos);
        notices.once("no pressure");
        notices.once("no pressure");
        for (int i = 0; i < 120; i++) {
            notices.atTimes(Notices.Kind.WRITE, "lost");
            notices.atTimes(Notices.Kind.CLOCK, "set");
            pass(1_000_000);
        }
        assertThat(text.toString().lines())
                .containsExactly(
                        "understudy node: no pressure",
                        "understudy node: lost",
                        "understudy node: set",
                        "understudy node: lost (and 59 such messages before)",
                        "understudy node: set (and 59 such messages before)");
        for (int i = 0; i < 1000; i++) {
            notices.once("text " + i);
        }
        assertThat(text.toString().lines()).hasSizeLessThan(210);
    }
}
