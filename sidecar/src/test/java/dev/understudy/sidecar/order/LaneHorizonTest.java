package dev.understudy.sidecar.order;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class LaneHorizonTest {
    private final Loop one = new Loop();
    private final Loop two = new Loop();
    private final Loop later = new Loop();
    private final AtomicLong handedOver = new AtomicLong(1000);
    private final LaneHorizon horizon = new LaneHorizon(List.of(one, two), handedOver::get, later);

    @Test
    void moment_isPassed_onceEveryLoopHasWorkedUpToIt() {
        AtomicInteger moves = new AtomicInteger();
        horizon.onMove(moves::incrementAndGet);
        handedOver.set(2000);

        assertThat(horizon.passed(2000)).isFalse();
        one.work();
        assertThat(horizon.passed(2000))
                .as("loop two may still hold an earlier end")
                .isFalse();
        two.work();

        assertThat(moves).hasValue(1);
        assertThat(horizon.passed(2000)).isTrue();
        assertThat(horizon.passed(1999)).isTrue();
    }

    @Test
    void moment_afterTheMarkerWentIn_needsAnother() {
        handedOver.set(2000);
        horizon.passed(2000);
        handedOver.set(3000);
        one.work();
        two.work();

        assertThat(horizon.passed(2001)).isFalse();
        assertThat(one.tasks).as("asked again, the next marker is underway").hasSize(1);
    }

    @Test
    void moment_upToWhichNotAllIsHandedOver_isntPassed_andAskedAboutLater() {
        AtomicInteger moves = new AtomicInteger();
        horizon.onMove(moves::incrementAndGet);

        assertThat(horizon.passed(2000)).isFalse();
        assertThat(one.tasks).isEmpty();
        later.workOnce();
        assertThat(one.tasks).as("nothing has come, so no loop is asked").isEmpty();
        handedOver.set(1999);
        later.workOnce();
        one.work();
        two.work();

        assertThat(moves).as("somebody else may have waited for less").hasValue(1);
        assertThat(horizon.passed(1999)).isTrue();
        assertThat(horizon.passed(2000)).isFalse();
        handedOver.set(2000);
        later.workOnce();
        one.work();
        two.work();

        assertThat(horizon.passed(2000)).isTrue();
        assertThat(later.tasks).isEmpty();
    }

    @Test
    void severalRelayLoops_haveHandedOverWhatIsAMillisecondOld() {
        assertThat(Ordering.handedOver(() -> 5_000_000, 2).getAsLong()).isEqualTo(4_000_000);
        assertThat(Ordering.handedOver(() -> 5_000_000, 1).getAsLong()).isEqualTo(5_000_000);
    }

    @Test
    void marker_isSentOnceForAll() {
        handedOver.set(2000);
        for (int i = 0; i < 10; i++) {
            horizon.passed(2000);
        }

        assertThat(one.tasks).hasSize(1);
        assertThat(two.tasks).hasSize(1);
    }

    @Test
    void marker_comesOutBehindWhatWasHandedOverBefore() {
        AtomicInteger told = new AtomicInteger();
        one.execute(told::incrementAndGet);
        horizon.onMove(() -> assertThat(told).hasValue(1));
        handedOver.set(2000);
        horizon.passed(2000);
        two.work();
        one.work();

        assertThat(horizon.passed(2000)).isTrue();
    }

    /** An event loop that works when it is told to. */
    private static final class Loop implements Executor {
        private final Queue<Runnable> tasks = new ArrayDeque<>();

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        void workOnce() {
            tasks.remove().run();
        }

        void work() {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
        }
    }
}
