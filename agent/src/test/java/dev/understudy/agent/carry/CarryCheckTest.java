package dev.understudy.agent.carry;

import dev.understudy.agent.bootstrap.Handover;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Nothing of the JDK is woven here. */
final class CarryCheckTest {
    @Test
    void whereNothingIsWoven_nothingIsFollowed_thoughEveryTaskRuns() {
        List<String> followed = new CarryCheck(CarryCheckTest::thread).followed();

        assertThat(followed).isEmpty();
        assertThat(CarryCheck.missing(followed))
                .startsWith("executor", "scheduled", "forkJoin", "future", "thread", "timer", "queue", "batch");
    }

    @Test
    void onlyWaysThatCarryTheExchange_areFollowed_andTheOthersMissing() {
        List<String> followed = carrying().followed();

        assertThat(followed).containsExactly("executor", "scheduled", "future", "thread");
        assertThat(CarryCheck.missing(followed))
                .startsWith("forkJoin", "timer", "queue", "batch")
                .doesNotContainAnyElementsOf(followed);
    }

    @Test
    void waysOfThreadsThatWaitedBefore_areMissing_ifThoseDontCarryIt() {
        CarryCheck check = carrying();
        check.warm(); // for nobody

        assertThat(check.followed()).containsExactly("future", "thread");
    }

    /** One whose threads carry the exchange of whoever makes them. */
    private static CarryCheck carrying() {
        return new CarryCheck(work -> {
            Handover.handed(work);
            return thread(() -> Handover.run(work));
        });
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    }
}
