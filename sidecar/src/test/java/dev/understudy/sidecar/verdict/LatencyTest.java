package dev.understudy.sidecar.verdict;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class LatencyTest {
    private final Latency latency = new Latency();

    @Test
    void within_countsAllThatTookAtMostSoLong() {
        latency.record(TimeUnit.MILLISECONDS.toNanos(10));
        latency.record(TimeUnit.MILLISECONDS.toNanos(11));
        latency.record(TimeUnit.SECONDS.toNanos(3));
        latency.record(TimeUnit.DAYS.toNanos(1));

        assertThat(latency.within(0.005)).isZero();
        assertThat(latency.within(0.01)).isOne();
        assertThat(latency.within(0.025)).isEqualTo(2);
        assertThat(latency.within(10)).isEqualTo(3);
        assertThat(latency.within(Double.POSITIVE_INFINITY)).isEqualTo(4);
    }
}
