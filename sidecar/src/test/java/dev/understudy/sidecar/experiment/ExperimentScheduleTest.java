package dev.understudy.sidecar.experiment;

import java.time.Duration;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ExperimentScheduleTest {
    private long now = Long.MAX_VALUE - 7;
    private final ExperimentSchedule schedule = new ExperimentSchedule(() -> now);

    @Test
    void experiments_haveAPauseBetweenThem_andRoutesALongerOne() {
        assertThat(schedule.isDue()).isTrue();
        assertThat(schedule.isDue()).as("looked just now").isFalse();
        pass(ExperimentSchedule.LOOK);
        assertThat(schedule.isDue()).isTrue();
        assertThat(schedule.begin("GET /a")).isTrue();

        pass(ExperimentSchedule.LOOK);
        assertThat(schedule.isDue()).as("after an experiment").isFalse();
        pass(ExperimentSchedule.PAUSE);
        assertThat(schedule.isDue()).isTrue();
        assertThat(schedule.begin("GET /a")).as("again").isFalse();
        pass(ExperimentSchedule.LOOK);
        assertThat(schedule.isDue()).as("another route may be first by now").isTrue();
        assertThat(schedule.begin("GET /b")).isTrue();

        pass(ExperimentSchedule.AGAIN);
        assertThat(schedule.isDue()).isTrue();
        assertThat(schedule.begin("GET /a")).isTrue();
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }
}
