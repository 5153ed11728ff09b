package dev.understudy.agent.stack;

import java.time.Instant;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("any-jdk")
final class FlightClockTest {
    private static final Instant BEGIN = Instant.parse("2026-11-24T12:00:00Z");

    private final FlightClock clock = new FlightClock();

    @Test
    void timesBetweenMarks_areToldAsClocksGoApart_othersArent() {
        assertThat(clock.nanosAt(BEGIN)).isEmpty();
        assertThat(clock.latest()).isEmpty();
        clock.mark(BEGIN, 1_000_000);
        assertThat(clock.nanosAt(BEGIN.plusNanos(5))).isEmpty();
        clock.mark(BEGIN.plusSeconds(1), 1_001_010_000); // ten microseconds fast
        clock.mark(BEGIN.plusSeconds(2), 2_001_020_000);

        assertThat(clock.nanosAt(BEGIN.minusNanos(1))).isEmpty();
        assertThat(clock.nanosAt(BEGIN.plusMillis(500))).hasValue(501_005_000);
        assertThat(clock.nanosAt(BEGIN.plusMillis(1500))).hasValue(1_501_015_000);
        assertThat(clock.nanosAt(BEGIN.plusSeconds(2))).hasValue(2_001_020_000);
        assertThat(clock.nanosAt(BEGIN.plusSeconds(2).plusNanos(1))).isEmpty();
        assertThat(clock.reaches(BEGIN.plusSeconds(2))).isTrue();
        assertThat(clock.reaches(BEGIN.plusSeconds(2).plusNanos(1))).isFalse();
        assertThat(clock.latest()).isEqualTo(OptionalLong.of(2_001_020_000));
    }

    @Test
    void whereTheWallClockWasSet_noTimeIsTold_butBeforeAndBehind() {
        clock.mark(BEGIN, 0);
        clock.mark(BEGIN.plusSeconds(1), 1_000_000_000);
        clock.mark(BEGIN.plusSeconds(2).plusNanos(FlightClock.MOST_APART_NANOS + 1), 2_000_000_000);
        clock.mark(BEGIN.plusSeconds(3).plusNanos(FlightClock.MOST_APART_NANOS + 1), 3_000_000_000L);

        assertThat(clock.nanosAt(BEGIN.plusMillis(999))).isPresent();
        assertThat(clock.nanosAt(BEGIN.plusMillis(1001))).isEmpty();
        assertThat(clock.nanosAt(BEGIN.plusMillis(2500))).isPresent();
    }
}
