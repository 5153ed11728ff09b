package dev.understudy.sidecar.order;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class LaneHorizonTest {
    private final Loop one = new Loop();
    private final Loop two = new Loop();
    private final LaneHorizon horizon = new LaneHorizon(List.of(one, two), 0, System.nanoTime());

    @Test
    void moment_isPassed_onceEveryLoopHasWorkedUpToIt() {
        AtomicInteger moves = new AtomicInteger();
        horizon.onMove(moves::incrementAndGet);
        long now = System.nanoTime();

        assertThat(horizon.passed(now)).isFalse();
        one.work();
        assertThat(horizon.passed(now))
                .as("loop two may still hold an earlier end")
                .isFalse();
        two.work();

        assertThat(moves).hasValue(1);
        assertThat(horizon.passed(now)).isTrue();
        assertThat(horizon.passed(now - 1)).isTrue();
    }

    @Test
    void moment_afterTheMarkerWentIn_needsAnother() {
        horizon.passed(System.nanoTime());
        long later = System.nanoTime() + 1_000_000_000L;
        one.work();
        two.work();

        assertThat(horizon.passed(later)).isFalse();
        assertThat(one.tasks).as("asked again, the next marker is underway").hasSize(1);
    }

    @Test
    void marker_isSentOnceForAll() {
        for (int i = 0; i < 10; i++) {
            horizon.passed(System.nanoTime());
        }

        assertThat(one.tasks).hasSize(1);
        assertThat(two.tasks).hasSize(1);
    }

    @Test
    void marker_comesOutBehindWhatWasHandedOverBefore() {
        AtomicInteger told = new AtomicInteger();
        one.execute(told::incrementAndGet);
        horizon.onMove(() -> assertThat(told).hasValue(1));
        long now = System.nanoTime();
        horizon.passed(now);
        two.work();
        one.work();

        assertThat(horizon.passed(now)).isTrue();
    }

    /** An event loop that works when it is told to. */
    private static final class Loop implements Executor {
        private final Queue<Runnable> tasks = new ArrayDeque<>();

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        void work() {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
        }
    }
}
