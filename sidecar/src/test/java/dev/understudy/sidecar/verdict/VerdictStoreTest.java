package dev.understudy.sidecar.verdict;

import dev.understudy.divergence.compare.Kind;
import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.Verdict;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class VerdictStoreTest {
    @Test
    void rare_verdicts_areNotPushedOutByCommonOnes() {
        VerdictStore store = new VerdictStore(3);
        store.add(judged(1, Verdict.notCompared(NotCompared.TIMED_OUT)));
        for (int i = 2; i <= 100; i++) {
            store.add(judged(i, Verdict.SAME));
        }

        assertThat(store.newest(Kind.NOT_COMPARED, 10))
                .extracting(Judged::exchange)
                .containsExactly(1L);
        assertThat(store.newest(Kind.SAME, 10)).extracting(Judged::exchange).containsExactly(100L, 99L, 98L);
        assertThat(store.newest(null, 2)).extracting(Judged::exchange).containsExactly(100L, 99L);
        assertThat(store.newest(Kind.DIFFERENT, 10)).isEmpty();
    }

    private static Judged judged(long exchange, Verdict verdict) {
        return new Judged(exchange, "orders", 1, "GET /", verdict, null, 1.0, 2.0);
    }
}
