package dev.understudy.aggregator.live;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CallRateTest {
    @Test
    void callsOfOneSecond_mayComeAtOnce_andNoMore() {
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
        CallRate rate = new CallRate(10, nanos::get);
        assertThat(begun(rate, 30)).isEqualTo(10);
        nanos.addAndGet(Duration.ofMillis(250).toNanos());
        assertThat(begun(rate, 30)).isEqualTo(2);
        nanos.addAndGet(Duration.ofHours(3).toNanos());
        assertThat(begun(rate, 30)).isEqualTo(10);
    }

    private static int begun(CallRate rate, int wanted) {
        int begun = 0;
        for (int n = 0; n < wanted; n++) {
            begun += rate.take() ? 1 : 0;
        }
        return begun;
    }
}
