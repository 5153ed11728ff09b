package dev.understudy.agent.point;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class LimitTest {
    private long now = 5;

    @Test
    void aSecondsWorth_isToldAtOnce_thenOneAfterEachPause_andAQuietTimeSavesNoMore() {
        Limit limit = new Limit(4, 1000, () -> now);
        assertThat(taken(limit)).isEqualTo(4);
        assertThat(taken(limit)).isZero();

        now += TimeUnit.MILLISECONDS.toNanos(250);
        assertThat(taken(limit)).isEqualTo(1);
        now += TimeUnit.SECONDS.toNanos(60);
        assertThat(taken(limit)).isEqualTo(4);
    }

    @Test
    void lessThanOneASecond_isOneAndThenAPause() {
        Limit limit = new Limit(0.1, 1000, () -> now);
        assertThat(taken(limit)).isEqualTo(1);
        now += TimeUnit.SECONDS.toNanos(9);
        assertThat(taken(limit)).isZero();
        now += TimeUnit.SECONDS.toNanos(1);
        assertThat(taken(limit)).isEqualTo(1);
    }

    @Test
    void theQuota_isNeverExceeded() {
        Limit limit = new Limit(1000, 3, () -> now);
        assertThat(limit.left()).isEqualTo(3);
        assertThat(taken(limit)).isEqualTo(3);
        now += TimeUnit.HOURS.toNanos(1);

        assertThat(taken(limit)).isZero();
        assertThat(limit.left()).isZero();
    }

    /** How many can be told now, of twenty; that is asked before each. */
    private static int taken(Limit limit) {
        int taken = 0;
        for (int i = 0; i < 20; i++) {
            boolean allowed = limit.allows();
            assertThat(limit.take()).isEqualTo(allowed);
            taken += allowed ? 1 : 0;
        }
        return taken;
    }
}
