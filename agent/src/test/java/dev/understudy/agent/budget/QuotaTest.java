package dev.understudy.agent.budget;

import dev.understudy.agent.bootstrap.measure.Quotas;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** Calls are sampled by hand, of probes 1 to 3. */
@Tag("any-jdk")
final class QuotaTest {
    private static final int PROBES = 4;
    private static final double BUDGET = 0.1;
    private static final double SHARE = BUDGET / 4;
    private static final double MILLI = 1e6;

    @BeforeEach
    @AfterEach
    void empty() {
        Quotas.credit(1_000);
        taken();
        Quotas.credit(0);
    }

    @Test
    void aBucket_fillsToTheQuota_andNoFurther() {
        Quota quota = new Quota(4, Duration.ofSeconds(1));
        for (int second = 0; second < 3; second++) {
            tick(quota, 1, 1_000);
        }
        assertThat(taken(1)).isEqualTo(4);
        tick(quota, 0.5, 1_000);

        assertThat(taken(1)).isEqualTo(2);
        assertThat(taken(2)).isEqualTo(4);
    }

    @Test
    void allTogether_takeWhatAQuarterOfTheBudgetPaysFor_andDontSaveIt() {
        Quota quota = new Quota(50, Duration.ofSeconds(1));
        tick(quota, 1, MILLI);
        assertThat(taken()).as("before its rate is known").isEqualTo(16);
        tick(quota, 1, MILLI);
        assertThat(taken()).isEqualTo(25);
        tick(quota, 0.2, MILLI);
        assertThat(taken()).isEqualTo(5);
        tick(quota, 10, MILLI);
        assertThat(taken()).isEqualTo(25);
    }

    @Test
    void whatItsSamplesCost_isLeftToIt_upToItsShare() {
        Quota quota = new Quota(4, Duration.ofSeconds(1));
        assertThat(tick(quota, 1, MILLI)).isZero();
        assertThat(taken()).isEqualTo(12);
        assertThat(tick(quota, 1, MILLI)).isCloseTo(0.3 * 12 * MILLI / 1e9, within(1e-9));
        assertThat(taken()).isEqualTo(12);

        assertThat(tick(quota, 1, 1_000 * MILLI)).isEqualTo(SHARE);
    }

    @Test
    void withoutABudget_nothingIsTaken_whateverIsInTheBuckets() {
        Quota quota = new Quota(4, Duration.ofSeconds(1));
        tick(quota, 1, MILLI);
        assertThat(quota.allow(PROBES, 0, MILLI)).isZero();

        assertThat(Quotas.has(1)).isTrue();
        assertThat(taken()).isZero();
    }

    @Test
    void aQuota_isNoLargerThanABucket() {
        assertThat(new Quota(1_000, Duration.ofSeconds(1)).samples()).isEqualTo(Quotas.MOST);
    }

    private static double tick(Quota quota, double seconds, double nanosOfOne) {
        quota.learn(seconds, nanosOfOne);
        return quota.allow(PROBES, BUDGET, nanosOfOne);
    }

    private static int taken() {
        return taken(1) + taken(2) + taken(3);
    }

    private static int taken(int probe) {
        int taken = 0;
        while (Quotas.take(probe)) {
            taken++;
        }
        return taken;
    }
}
