package dev.understudy.aggregator.match;

import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** News from a host with a clock of its own, over a way that takes its time. */
class NewsTest {
    private long now;

    @Test
    void spans_alwaysContainWhatHappenedWithinThem() {
        for (long seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            long skew = random.nextLong() >> 4;
            InboundExchanges inbound = new InboundExchanges(() -> now);
            long shortest = 0;
            now = random.nextInt(1_000_000);
            for (int id = 1; id <= 20; id++) {
                long arrived = now;
                now += 1 + random.nextInt(1_000);
                long start = now;
                now += random.nextInt(1_000);
                long end = now;
                now += 1 + random.nextInt(1_000);
                long there = random.nextInt(100_000);
                long back = random.nextInt(100_000);
                TraceId trace = new TraceId(1, id);
                News.Told told = new News.Told(id, arrived + skew, now + skew, now + skew, null, null, trace, null);
                long sent = now + skew;
                now += there;
                inbound.told(new News("a", false, sent, shortest, sent, sent, List.of(told), List.of(), List.of()));
                Inbound origin = Objects.requireNonNull(
                        inbound.outlook(new UpstreamCall(now, trace, null)).origin());
                assertThat(origin.production().contains(start, end))
                        .as("seed %d, exchange %d: %s around %d to %d", seed, id, origin.production(), start, end)
                        .isTrue();
                shortest = shortest == 0 ? there + back : Math.min(shortest, there + back);
                now += back;
            }
        }
    }

    @Test
    void anotherSidecarsNews_beginAnew() {
        InboundExchanges inbound = new InboundExchanges(() -> now);
        inbound.told(new News(
                "a",
                true,
                0,
                0,
                0,
                0,
                List.of(new News.Told(1, 1, null, 2L, null, null, null, null)),
                List.of(),
                List.of()));
        inbound.told(new News(
                "b",
                true,
                0,
                0,
                0,
                0,
                List.of(new News.Told(2, 1, null, null, null, null, null, null)),
                List.of(),
                List.of()));

        assertThat(inbound.known()).isEqualTo(1);
        assertThat(inbound.serving()).isZero();
    }
}
