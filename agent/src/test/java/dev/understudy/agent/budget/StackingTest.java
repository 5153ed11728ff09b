package dev.understudy.agent.budget;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("any-jdk")
final class StackingTest {
    private final Stacking stacking = new Stacking(20);

    @Test
    void aLargeBudget_paysForTheRateThatIsSet() {
        stacking.allow(0.2);

        assertThat(stacking.perSecond()).isEqualTo(20);
    }

    @Test
    void withoutBudget_noneAreTaken() {
        stacking.allow(0.2);
        stacking.allow(0);

        assertThat(stacking.perSecond()).isZero();
    }

    @Test
    void whatTheyCost_decidesHowOften() {
        for (int i = 0; i < 50; i++) {
            stacking.took(10_000_000);
            stacking.took(10_000_000);
            assertThat(stacking.learn(0.1)).isEqualTo(20_000_000);
        }
        double charged = stacking.allow(0.2);

        assertThat(stacking.perSecond())
                .as("a tenth of 0.2 cores, of 10 ms each")
                .isBetween(1.9, 2.1);
        assertThat(charged).as("no more than its share, whatever it cost").isBetween(0.019, 0.021);
    }

    @Test
    void switchedOff_noneAreTakenWhateverTheBudget() {
        Stacking off = new Stacking(0);
        off.allow(64);

        assertThat(off.perSecond()).isZero();
    }
}
