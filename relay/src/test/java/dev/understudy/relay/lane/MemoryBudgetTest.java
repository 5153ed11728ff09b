package dev.understudy.relay.lane;

import dev.understudy.relay.Bytes;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class MemoryBudgetTest {
    @Test
    void reservation_thatDoesNotFitChangesNothing() {
        MemoryBudget all = new MemoryBudget(100, null);
        MemoryBudget lane = new MemoryBudget(60, all);
        assertThat(lane.tryReserve(60)).isTrue();
        assertThat(lane.tryReserve(1)).isFalse();
        assertThat(lane.reserve(1)).isEqualTo(LossReason.OVERFLOW_LANE);

        MemoryBudget other = new MemoryBudget(60, all);
        assertThat(other.tryReserve(41)).isFalse();
        assertThat(other.reserve(41)).isEqualTo(LossReason.OVERFLOW_GLOBAL);
        assertThat(other.used()).isZero();
        assertThat(other.reserve(40)).isEqualTo(LossReason.NONE);
        assertThat(all.used()).isEqualTo(100);

        lane.release(60);
        assertThat(all.used()).isEqualTo(40);
        assertThat(all.peak()).isEqualTo(100);
        assertThat(lane.peak()).isEqualTo(60);
    }

    @Test
    void usedBytes_neverExceedTheCapacityWithManyThreads() {
        MemoryBudget all = new MemoryBudget(1000, null);
        List<CompletableFuture<Boolean>> threads = new ArrayList<>();
        for (int n = 0; n < 4; n++) {
            long seed = n;
            MemoryBudget lane = new MemoryBudget(500, all);
            threads.add(Bytes.async(() -> {
                Random random = new Random(seed);
                boolean kept = true;
                for (int i = 0; i < 50_000; i++) {
                    int size = random.nextInt(400);
                    if (lane.tryReserve(size)) {
                        kept &= all.used() <= 1000;
                        lane.release(size);
                    }
                }
                return kept;
            }));
        }
        assertThat(threads).allMatch(CompletableFuture::join);
        assertThat(all.used()).isZero();
        assertThat(all.peak()).isBetween(1L, 1000L);
    }

    /** Others give back all the time: a reason that is looked for after the refusal would find room again. */
    @Test
    void refusal_namesTheBudgetThatRefusedWhileOthersGiveBack() {
        MemoryBudget all = new MemoryBudget(1_000_000, null);
        MemoryBudget lane = new MemoryBudget(10, all);
        AtomicBoolean enough = new AtomicBoolean();
        CompletableFuture<Boolean> others = Bytes.async(() -> {
            while (!enough.get()) {
                if (lane.tryReserve(10)) {
                    lane.release(10);
                }
            }
            return true;
        });
        Map<LossReason, Integer> seen = new EnumMap<>(LossReason.class);
        for (int n = 0; n < 1_000_000; n++) {
            LossReason reason = lane.reserve(10);
            seen.merge(reason, 1, Integer::sum);
            if (reason == LossReason.NONE) {
                lane.release(10);
            }
        }
        enough.set(true);
        others.join();
        assertThat(seen).doesNotContainKey(LossReason.OVERFLOW_GLOBAL);
        assertThat(lane.reserve(11)).isEqualTo(LossReason.OVERFLOW_LANE);
    }

    @Test
    void negativeNumbers_areRefused() {
        assertThatThrownBy(() -> new MemoryBudget(-1, null)).hasMessage("capacity: -1 (expected: >= 0)");
        MemoryBudget budget = new MemoryBudget(0, null);
        assertThatThrownBy(() -> budget.tryReserve(-1)).hasMessage("bytes: -1 (expected: >= 0)");
        assertThat(budget.tryReserve(0)).isTrue();
        assertThat(budget.tryReserve(1)).isFalse();
    }
}
