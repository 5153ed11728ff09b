package dev.understudy.agent.bootstrap;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** The probes at the upper end of the numbers are this test's own. */
final class ProbesTest {
    private static final long SEED = 20_261;
    private static int next = Probes.CAPACITY;

    private final int probe = --next;

    @BeforeEach
    void seed() {
        Probes.seed(SEED);
        Credit.set(Integer.MAX_VALUE);
    }

    @Test
    void distances_areGeometricWithThePeriodAsMean() {
        int draws = 200_000;
        for (int period : new int[] {1, 2, 3, 10, 100, 5_000}) {
            double sum = 0;
            int ones = 0;
            for (int i = 0; i < draws; i++) {
                int gap = Probes.gap(period, 0);
                sum += gap;
                ones += gap == 1 ? 1 : 0;
            }
            double deviation = Math.sqrt((double) period * (period - 1) / draws);
            double p = 1.0 / period;
            assertThat(sum / draws)
                    .as("mean for period %d, seed %d", period, SEED)
                    .isCloseTo(period, within(5 * deviation + 0.006 * period));
            assertThat((double) ones / draws)
                    .as("share of ones for period %d, seed %d", period, SEED)
                    .isCloseTo(p, within(5 * Math.sqrt(p * (1 - p) / draws) + 0.006 * p));
        }
    }

    @Test
    void sampledShare_isOneByThePeriod_alsoForAPatternInTheCalls() {
        train();
        Probes.arm(probe, 10);
        int even = 0;
        int odd = 0;
        int calls = 400_000;
        for (int i = 0; i < calls; i++) {
            boolean sampled = call();
            even += sampled && i % 2 == 0 ? 1 : 0;
            odd += sampled && i % 2 == 1 ? 1 : 0;
        }
        double deviation = Math.sqrt(calls / 2.0 * 0.1 * 0.9);
        assertThat((double) even).as("seed %d", SEED).isCloseTo(calls / 20.0, within(5 * deviation));
        assertThat((double) odd).as("seed %d", SEED).isCloseTo(calls / 20.0, within(5 * deviation));
        assertThat(Probes.hits(probe)).isEqualTo(calls + Probes.TRAINING);
        int[] all = new int[Probes.CAPACITY];
        all[probe] = 42;
        Probes.hits(probe + 1, all);
        assertThat(all[probe]).isEqualTo(calls + Probes.TRAINING);
        assertThat(all[probe - 1]).isEqualTo(Probes.hits(probe - 1));
    }

    @Test
    void firstCalls_areSampledThoughNothingIsArmed() {
        for (int i = 0; i < 10; i++) {
            assertThat(call()).isEqualTo(i < Probes.TRAINING);
        }
        assertThat(Timings.samples(probe)).isEqualTo(Probes.TRAINING);
        assertThat(Probes.hits(probe)).isEqualTo(10);
    }

    @Test
    void aProbeThatIsNotToBeSeen_isNeitherCountedNorSampled_untilItIs() {
        Probes.arm(probe, 1);
        int epoch = Gates.epoch();
        Probes.see(probe, false);
        assertThat(call()).isFalse();
        assertThat(Probes.hits(probe)).isZero();
        assertThat(Gates.epoch()).isNotEqualTo(epoch);

        epoch = Gates.epoch();
        Probes.see(probe, false);
        assertThat(Gates.epoch()).as("nothing changed").isEqualTo(epoch);
        Probes.see(probe, true);
        assertThat(call()).isTrue();
        assertThat(Probes.hits(probe)).isEqualTo(1);
        assertThat(Gates.epoch()).isNotEqualTo(epoch);
    }

    @Test
    void armingAndDisarming_takeEffectWithTheNextCalls() {
        train();
        for (int i = 0; i < 1000; i++) {
            assertThat(call()).isFalse();
        }
        Probes.arm(probe, 1);
        assertThat(call()).isTrue();
        Probes.arm(probe, 0);
        for (int i = 0; i < 1000; i++) {
            assertThat(call()).isFalse();
        }
    }

    @Test
    void withoutCredit_nothingIsSampledAndTheRefusalsAreCounted() {
        train();
        Probes.arm(probe, 1);
        Credit.set(2);
        long refused = Credit.refused();
        for (int i = 0; i < 5; i++) {
            assertThat(call()).isEqualTo(i < 2);
        }
        Credit.set(0);
        assertThat(Credit.refused() - refused).isEqualTo(3);
    }

    @Test
    void aSampleEndedTwice_countsOnce() {
        Object token = Probes.enter(probe);
        Probes.exit(token);
        Probes.thrown(new IllegalStateException(), token);

        assertThat(Timings.samples(probe)).isEqualTo(1);
    }

    @Test
    void theLongestCall_isKept() {
        Object token = Probes.enter(probe);
        Probes.exit(token);

        assertThat(Timings.maxNanos(probe)).isPositive().isEqualTo(Timings.nanos(probe));
        assertThat(token)
                .isInstanceOfSatisfying(
                        CallSample.class,
                        sample -> assertThat(sample.endNanos() - sample.startNanos())
                                .isEqualTo(Timings.nanos(probe)));
    }

    @Test
    void hitsOfManyThreads_addUp() throws InterruptedException {
        Thread[] threads = new Thread[8];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 1000; i++) {
                    call();
                }
            });
            threads[t].start();
            threads[t].join();
        }
        assertThat(Probes.hits(probe)).isEqualTo(8_000);
    }

    private void train() {
        for (int i = 0; i < Probes.TRAINING; i++) {
            call();
        }
    }

    private boolean call() {
        Object token = Probes.enter(probe);
        Probes.exit(token);
        return token != null;
    }
}
