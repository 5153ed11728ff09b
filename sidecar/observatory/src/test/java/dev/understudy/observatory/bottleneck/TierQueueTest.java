package dev.understudy.observatory.bottleneck;

import dev.understudy.observatory.event.ExchangeColumns;
import dev.understudy.observatory.event.TierOverflow;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class TierQueueTest {
    private static final long WIDTH = 50_000;

    private static ExchangeColumns exchanges(long... startsAndEnds) throws TierOverflow {
        ExchangeColumns exchanges = new ExchangeColumns("db");
        for (int i = 0; i < startsAndEnds.length; i += 2) {
            exchanges.add("SELECT", startsAndEnds[i], startsAndEnds[i + 1], true);
        }
        return exchanges;
    }

    private static QueueWindows windows(ExchangeColumns exchanges, int count) {
        QueueWindows windows = new TierQueue(exchanges).windows(0, WIDTH, count);
        windows.addResponseTimes(exchanges);
        return windows;
    }

    @Test
    void queue_isTheAverageOverTimeAndTheMostAtOnce() throws TierOverflow {
        // 004's example: from 40 to 120 ms; beside it one from 60 to 85 ms
        QueueWindows windows = windows(exchanges(40_000, 120_000, 60_000, 85_000), 3);

        assertThat(windows.queue(0)).isCloseTo(0.2, within(1e-6));
        assertThat(windows.queue(1)).isCloseTo(1.5, within(1e-6));
        assertThat(windows.queue(2)).isCloseTo(0.4, within(1e-6));
        assertThat(windows.mostQueue(0)).isEqualTo(1);
        assertThat(windows.mostQueue(1)).isEqualTo(2);
        assertThat(windows.mostQueue(2)).isEqualTo(1);
        assertThat(windows.arrivals(0)).isEqualTo(1);
        assertThat(windows.arrivals(1)).isEqualTo(1);
        assertThat(windows.departures(1)).isEqualTo(1);
        assertThat(windows.departures(2)).isEqualTo(1);
        assertThat(windows.longestMicros(1)).isEqualTo(25_000);
        assertThat(windows.longestMicros(2)).isEqualTo(80_000);
        assertThat(windows.meanMicros(0)).isZero();
    }

    @Test
    void equalStamps_countOnce() throws TierOverflow {
        QueueWindows windows = windows(exchanges(0, 50_000, 50_000, 100_000, 50_000, 50_000, 70_000, 70_000), 3);

        assertThat(windows.queue(0)).isEqualTo(1);
        assertThat(windows.queue(1)).isEqualTo(1);
        assertThat(windows.mostQueue(1)).isEqualTo(1);
        assertThat(windows.queue(2)).isZero();
        assertThat(windows.arrivals(1)).isEqualTo(3);
        assertThat(windows.departures(1)).isEqualTo(3);
    }

    @Test
    void windows_agreeWithCountingEveryMicrosecond() throws TierOverflow {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            ExchangeColumns exchanges = new ExchangeColumns("db");
            int[] under = new int[500];
            for (int i = 0; i < 40; i++) {
                int start = random.nextInt(400);
                int end = start + random.nextInt(100);
                exchanges.add("GET", start, end, true);
                for (int at = start; at < end; at++) {
                    under[at]++;
                }
            }
            TierQueue queue = new TierQueue(exchanges);
            QueueWindows windows = queue.windows(0, 50, 10);
            for (int window = 0; window < 10; window++) {
                int sum = 0;
                int most = 0;
                for (int at = 50 * window; at < 50 * window + 50; at++) {
                    sum += under[at];
                    most = Math.max(most, under[at]);
                    assertThat(queue.at(at)).as("seed %d at %d", seed, at).isEqualTo(under[at]);
                }
                assertThat(windows.queue(window)).as("seed %d", seed).isCloseTo(sum / 50.0, within(1e-5));
                assertThat(windows.mostQueue(window)).as("seed %d", seed).isEqualTo(most);
            }
        }
    }

    @Test
    void aTierWithoutExchanges_hasNoQueue() {
        assertThat(windows(new ExchangeColumns("db"), 2).queue(1)).isZero();
    }
}
