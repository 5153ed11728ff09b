package dev.understudy.agent.bootstrap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Places are passed as woven code passes them. */
final class PointsTest {
    private static final int NUMBER = Points.CAPACITY - 3;
    private static final int FIELD = Points.CAPACITY - 2;
    private static final long PLENTY = 1L << 40;

    private final List<String> seen = new ArrayList<>();
    private final Looking point = new Looking(false);

    @BeforeEach
    void allow() {
        Points.allow(PLENTY, PLENTY);
        Points.set(NUMBER, point);
    }

    @AfterEach
    void forget() {
        Points.allow(0, 0);
        Points.set(NUMBER, null);
        Points.set(FIELD, null);
    }

    @Test
    void aPlaceThatIsDue_isGivenItsValues() {
        pass(NUMBER, 3);
        point.due = false;
        pass(NUMBER, 4);

        assertThat(seen).containsExactly("[3]");
        assertThat(point.passed()).isEqualTo(2);
        assertThat(point.skipped()).isZero();
    }

    @Test
    void whatLookingPasses_isNotLookedAt() {
        point.inside = () -> pass(NUMBER, 7);
        pass(NUMBER, 3);

        assertThat(seen).containsExactly("[3]");
        assertThat(point.passed()).isEqualTo(1);
    }

    @Test
    void whatLookingThrows_isCountedAndGoesNoFurther() {
        int before = AgentFaults.count();
        point.inside = () -> {
            throw new IllegalStateException();
        };
        pass(NUMBER, 3);
        pass(NUMBER, 4);

        assertThat(seen).containsExactly("[3]", "[4]");
        assertThat(AgentFaults.count() - before).isEqualTo(2);
    }

    @Test
    void theAllowance_isUsedUpByLooking_thatOfFieldsBesideIt() {
        Points.allow(0, 0); // what is left is nothing
        Points.allow(1, 1);
        Looking field = new Looking(true);
        Points.set(FIELD, field);
        long spent = Points.spentNanos();
        point.inside = () -> {
            long since = System.nanoTime();
            while (System.nanoTime() == since) {
                Thread.onSpinWait();
            }
        };
        pass(NUMBER, 3);
        pass(NUMBER, 4);
        assertThat(seen).containsExactly("[3]");
        assertThat(point.skipped()).isEqualTo(1);
        assertThat(Points.spentNanos()).isGreaterThan(spent);

        pass(FIELD, 5);
        assertThat(seen).containsExactly("[3]", "[5]");
    }

    private static void pass(int number, int value) {
        Points.done(Points.put(value, Points.due(number)));
    }

    private final class Looking extends Point {
        private boolean due = true;
        private Runnable inside = () -> {};

        Looking(boolean ofField) {
            super(1, ofField);
        }

        @Override
        protected boolean isDue() {
            return due;
        }

        @Override
        protected void pass(@Nullable Object[] values, @Nullable ServedExchange exchange) {
            seen.add(Arrays.toString(values));
            inside.run();
        }
    }
}
