package dev.understudy.sidecar.trace;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class CallSpanLogTest {
    private static final String TRACE = "00000000000000050000000000000009";

    private final CallSpanLog log = new CallSpanLog();

    @Test
    void spansOfATrace_areFound_asTheyBegan() {
        log.add(span(5, 2, 300));
        log.add(span(6, 3, 1));
        log.add(span(5, 1, 100));

        assertThat(log.of(TRACE)).extracting(CallSpan::id).containsExactly(1L, 2L);
        assertThat(log.of("short")).isEmpty();
    }

    @Test
    void theNewestAreKept_andTheirNamesOnce() {
        for (int n = 0; n < CallSpanLog.MOST + 10; n++) {
            log.add(span(n < 20 ? 5 : 6, n, n));
        }
        assertThat(log.of(TRACE))
                .extracting(CallSpan::id)
                .containsExactly(10L, 11L, 12L, 13L, 14L, 15L, 16L, 17L, 18L, 19L);
        assertThat(log.of(TRACE).get(0).name()).isSameAs(log.of(TRACE).get(1).name());
    }

    private static CallSpan span(long trace, long id, long begun) {
        return new CallSpan(trace, 9, id, 0, String.join(".", "shop", "Tariff", "price"), begun, begun + 10, "");
    }
}
