package dev.understudy.observatory.node.process;

import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class PauseClockTest {
    private static final double NONE = Double.NaN;

    /** Of a JVM that began at 100 s of the machine's clock. */
    private final PauseClock clock = new PauseClock();

    @Test
    void pause_countsInTheSamplesInWhichItWas() {
        clock.at(101.00, 1.00, 0, NONE);
        clock.share(0.05);
        clock.at(101.05, 1.05, 0, NONE);
        assertThat(clock.share(0.05)).isEqualTo(0);
        // begins at 1.06, is seen at 1.10 and 1.15, and ends at 1.17
        clock.at(101.10, 1.05, 0, 1.06);
        assertThat(clock.share(0.05)).isCloseTo(0.8, within(1e-6));
        clock.at(101.15, 1.05, 0, 1.06);
        assertThat(clock.share(0.05)).isCloseTo(1, within(1e-6));
        clock.at(101.20, 1.20, 0.11, NONE);
        assertThat(clock.share(0.05)).isCloseTo(0.4, within(1e-6));
        clock.at(101.25, 1.25, 0.11, NONE);
        assertThat(clock.share(0.05)).isCloseTo(0, within(1e-6));
    }

    @Test
    void jvmWhoseClockStandsStill_hasItsPausesWhenTheyEnd() {
        clock.at(101.00, NONE, 0, NONE);
        clock.share(0.05);
        clock.at(101.05, NONE, 0, 1.01);
        assertThat(clock.share(0.05)).isEqualTo(0);
        clock.at(101.10, NONE, 0.02, NONE);
        assertThat(clock.share(0.05)).isCloseTo(0.4, within(1e-6));
    }

    @Test
    void share_isNeverMoreThanAll() {
        clock.at(1, NONE, 0, NONE);
        clock.share(0.05);
        clock.at(1.05, NONE, 5, NONE);
        assertThat(clock.share(0.05)).isEqualTo(1);
    }

    @Test
    void whatACollectorDoesBesideTheApplication_isNoPause() {
        assertThat(List.of(
                        "G1 young collection pauses",
                        "G1 concurrent cycle pauses",
                        "G1 stop-the-world full collections",
                        "ZGC minor collection pauses",
                        "Copy",
                        ""))
                .allMatch(JvmMetrics::isPause);
        assertThat(List.of("Shenandoah full", "Shenandoah partial", "some concurrent work"))
                .noneMatch(JvmMetrics::isPause);
    }
}
