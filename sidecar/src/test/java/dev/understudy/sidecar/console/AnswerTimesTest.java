package dev.understudy.sidecar.console;

import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.sidecar.verdict.ExchangeLog;
import dev.understudy.sidecar.verdict.Judged;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class AnswerTimesTest {
    private final ExchangeLog log = ExchangeLog.of(10_000, 1L << 30);
    private final AnswerTimes times = new AnswerTimes(log);
    private long number;

    @Test
    void bothSides_areOfTheLastTenSeconds() {
        for (int n = 1; n <= 100; n++) {
            judge(1_000, n, 200, n == 1 ? 503 : 200);
        }
        assertThat(times.read(1_000))
                .containsEntry("production", side(100, 0, 50, 99))
                .containsEntry("debug", side(100, 1, 100, 198));

        judge(9_000, 7, 500, 500);
        assertThat(times.read(9_000)).containsEntry("production", side(101, 1, 50, 99));
        assertThat(times.read(11_001)).containsEntry("production", side(1, 1, 7, 7));
        assertThat(times.read(30_000)).containsEntry("debug", side(0, 0, 0, 0));
    }

    @Test
    void whatIsOlderAtTheFirstLook_isPassedOver_andALookIsBounded() {
        judge(1_000, 5, 200, 200);
        assertThat(times.read(20_000)).containsEntry("production", side(0, 0, 0, 0));
        for (int n = 0; n < 2_000; n++) {
            judge(20_100, 1, 200, 200);
        }
        assertThat(times.read(20_500)).containsEntry("production", side(500, 0, 1, 1));
    }

    private void judge(long at, double millis, int production, int debug) {
        number++;
        Judged judged = new Judged(
                number,
                "orders",
                1,
                null,
                "GET /",
                new Verdict(VerdictKind.SAME, null, List.of()),
                null,
                millis,
                2 * millis,
                at,
                production,
                debug,
                at);
        log.add("debug", "GET /", judged, null);
    }

    private static Map<String, Object> side(int answered, long failed, double p50, double p99) {
        return Map.of("answered", answered, "failed", failed, "p50", p50, "p99", p99);
    }
}
