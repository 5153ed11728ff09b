package dev.understudy.sidecar.verdict;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
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

        assertThat(store.newest(VerdictKind.NOT_COMPARED, 10))
                .extracting(Judged::exchange)
                .containsExactly(1L);
        assertThat(store.newest(VerdictKind.SAME, 10))
                .extracting(Judged::exchange)
                .containsExactly(100L, 99L, 98L);
        assertThat(store.newest(null, 2)).extracting(Judged::exchange).containsExactly(100L, 99L);
        assertThat(store.newest(VerdictKind.DIFFERENT, 10)).isEmpty();
    }

    @Test
    void whoAsksAgain_getsWhatIsNew_andKnowsWhatIsGone() {
        VerdictStore store = new VerdictStore(3);
        store.add(judged(1, Verdict.SAME));
        VerdictStore.Added first = store.after(VerdictKind.SAME, 0);
        assertThat(first.judged()).extracting(Judged::exchange).containsExactly(1L);
        assertThat(store.after(VerdictKind.SAME, first.count()).judged()).isEmpty();

        store.add(judged(2, Verdict.SAME));
        store.add(judged(3, Verdict.SAME));
        assertThat(store.after(VerdictKind.SAME, first.count()).judged())
                .extracting(Judged::exchange)
                .containsExactly(2L, 3L);

        for (int i = 4; i <= 10; i++) {
            store.add(judged(i, Verdict.SAME));
        }
        VerdictStore.Added late = store.after(VerdictKind.SAME, first.count());
        assertThat(late.judged()).extracting(Judged::exchange).containsExactly(8L, 9L, 10L);
        assertThat(late.count() - first.count()).isEqualTo(9);
    }

    @Test
    void whatIsGone_isCounted_byKind() {
        VerdictStore store = new VerdictStore(3);
        store.add(judged(1, Verdict.notCompared(NotCompared.TIMED_OUT)));
        for (int i = 2; i <= 4; i++) {
            store.add(judged(i, Verdict.SAME));
        }
        assertThat(store.dropped(VerdictKind.SAME)).isZero();

        store.add(judged(5, Verdict.SAME));
        store.add(judged(6, Verdict.SAME));
        assertThat(store.dropped(VerdictKind.SAME)).isEqualTo(2);
        assertThat(store.dropped(VerdictKind.NOT_COMPARED)).isZero();
        assertThat(store.perKind()).isEqualTo(3);
    }

    private static Judged judged(long exchange, Verdict verdict) {
        return new Judged(exchange, "orders", 1, null, "GET /", verdict, null, 1.0, 2.0);
    }
}
