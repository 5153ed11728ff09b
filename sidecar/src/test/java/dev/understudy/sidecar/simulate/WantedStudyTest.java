package dev.understudy.sidecar.simulate;

import dev.understudy.sidecar.window.OverflowTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class WantedStudyTest {
    private static final double REQUEST_BYTES = 530.0 / 27;

    /** Poisson, 17 requests/s, a buffer of 4096 bytes: with a debug copy 8 and 5 times slower it lasted 16 and 18 s. */
    @Test
    void theSlowDownsOfTheThesis_areThoseForItsWindows() {
        long capacity = (long) (4096 / REQUEST_BYTES);

        assertThat(new WantedStudy(17, 30, capacity, Duration.ofSeconds(16)).slowDown())
                .isCloseTo(8, within(1.0));
        assertThat(new WantedStudy(17, 30, capacity, Duration.ofSeconds(18)).slowDown())
                .isCloseTo(5, within(1.0));
    }

    /** Figure 3.5: where a fifth of the service rate arrives, 400 % of overhead saturate the queue. */
    @Test
    void aLongWindow_leavesWhatSaturatesTheQueue() {
        WantedStudy day = new WantedStudy(100, 500, 1 << 16, Duration.ofDays(1));

        assertThat(day.slowDown()).isCloseTo(5, within(0.1));
        assertThat(day.budget()).as("four fifths of the time debug would idle").isCloseTo(0.8, within(0.02));
    }

    @Test
    void theWindowWithThatSlowDown_lastsAsLongAsWanted() {
        WantedStudy study = new WantedStudy(100, 300, 1024, Duration.ofMinutes(10));

        assertThat(OverflowTime.seconds(100, 300 / study.slowDown(), 1024, 0)).isCloseTo(600, within(6.0));
        assertThat(study.budget()).isCloseTo(100 * (study.slowDown() - 1) / 300, within(1e-9));
    }

    @Test
    void whatCantBeHad_andWhatNeedsNothing_areSaid() {
        assertThat(new WantedStudy(100, 90, 1000, Duration.ofMinutes(10))
                        .lines()
                        .get(1))
                .startsWith("a window of 600.0 s can't be had: without a probe it lasts ");
        assertThat(new WantedStudy(1, 90, 1000, Duration.ofSeconds(10)).lines().get(1))
                .endsWith("debug may stand");
    }
}
