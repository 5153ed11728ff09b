package dev.understudy.sidecar.order;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class DebugClockTest {
    private static final long SECOND = 1_000_000_000L;

    private final DebugClock clock = new DebugClock(Long.MAX_VALUE - 5 * SECOND);
    private long now = Long.MAX_VALUE - 5 * SECOND;

    @Test
    void time_withSignsOfLife_runsAsOnTheWall() {
        for (int i = 0; i < 100; i++) {
            clock.life(now);
            tick();
        }

        assertThat(clock.read()).isEqualTo(10 * SECOND);
    }

    @Test
    void time_inSilence_runsTenTimesSlower() {
        for (int i = 0; i < 10; i++) {
            tick();
        }
        assertThat(clock.silent(now)).isFalse();
        assertThat(clock.read()).isEqualTo(SECOND);

        for (int i = 0; i < 100; i++) {
            tick();
        }
        assertThat(clock.silent(now)).isTrue();
        assertThat(clock.read()).isEqualTo(2 * SECOND);
    }

    @Test
    void time_neverRunsBackwards() {
        tick();
        long before = clock.read();
        clock.tick(now - SECOND);

        assertThat(clock.read()).isEqualTo(before);
    }

    private void tick() {
        now += SECOND / 10;
        clock.tick(now);
    }
}
