package dev.understudy.agent.budget;

import dev.understudy.agent.bootstrap.Branches;
import dev.understudy.agent.bootstrap.Observations;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class PassingTest {
    private static final int BRANCH = Branches.CAPACITY - 7;

    private final Passing passing = new Passing(() -> BRANCH + 2);

    @Test
    void whatPassingABranchCosts_isMeasuredAndAddedUp() {
        passing.learn(1); // what other tests passed
        passing.learn(1);
        pass(BRANCH, 300_000);
        pass(BRANCH + 1, 100_000);
        passing.learn(0.5);
        assertThat(passing.share()).as("it looks once a second").isZero();
        passing.learn(0.5);

        assertThat(passing.share(BRANCH)).isBetween(1.5e-4, 0.1);
        assertThat(passing.share(BRANCH)).isCloseTo(3 * passing.share(BRANCH + 1), within(1e-9));
        assertThat(passing.share()).isCloseTo(passing.share(BRANCH) + passing.share(BRANCH + 1), within(1e-9));
        assertThat(Observations.branchPrice()).isPositive();

        passing.learn(1);
        assertThat(passing.share()).isZero();
    }

    @Test
    void withoutAnyBranch_nothingIsTried() {
        Passing none = new Passing(() -> 1);
        none.learn(5);

        assertThat(none.share()).isZero();
        assertThat(none.share(BRANCH)).isZero();
    }

    private static void pass(int branch, int times) {
        for (int i = 0; i < times; i++) {
            Branches.lt(i, 5, branch);
        }
    }
}
