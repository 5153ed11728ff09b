package dev.understudy.divergence.latency;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

final class MannWhitneyTest {

    /** Mann and Whitney's own table: of 5 and 5 values, u ≤ 2 has the probability 4/252 on one side. */
    @Test
    void smallSamples_haveThePublishedProbability() {
        MannWhitney found = MannWhitney.compare(LatencySample.of(4, 7, 8, 9, 10), LatencySample.of(1, 2, 3, 5, 6));

        assertThat(found.u()).isEqualTo(2);
        assertThat(found.p()).isCloseTo(8 / 252.0, within(1e-12));
        assertThat(found.delta()).isCloseTo(2 * 2 / 25.0 - 1, within(1e-12));
        assertThat(found.size()).isEqualTo("large");
    }

    /** Wilcoxon's ranks by hand: 5 and 4 values with u 17 of 20, p 0.1111 exactly, which is 14 of 126 ways. */
    @Test
    void unequalSamples_haveThePublishedProbability() {
        MannWhitney found = MannWhitney.compare(LatencySample.of(20, 11, 17, 12), LatencySample.of(19, 22, 16, 29, 24));

        assertThat(found.u()).isEqualTo(17);
        assertThat(found.p()).isCloseTo(14 / 126.0, within(1e-12));
    }

    @Test
    void smallSamples_agreeWithTryingAllWays_tiesIncluded() {
        for (int seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            double[] production = values(random, 1 + random.nextInt(6), 6);
            double[] debug = values(random, 1 + random.nextInt(6), 6);

            assertThat(MannWhitney.compare(LatencySample.of(production), LatencySample.of(debug))
                            .p())
                    .as("seed " + seed)
                    .isCloseTo(tried(production, debug), within(1e-9));
        }
    }

    @Test
    void approximation_isNearTheExactProbability() {
        for (int seed = 1; seed <= 50; seed++) {
            Random random = new Random(seed);
            LatencySample production = LatencySample.of(values(random, 20, 100));
            LatencySample debug = LatencySample.of(values(random, 20, 130));
            double exact = MannWhitney.compare(production, debug).p();

            assertThat(MannWhitney.compare(production, debug, 0).p())
                    .as("seed " + seed)
                    .isCloseTo(exact, within(0.012));
        }
    }

    @Test
    void sidesThatAreAlike_areRarelyCalledDifferent() {
        Random random = new Random(17);
        int called = 0;
        for (int run = 0; run < 1000; run++) {
            LatencySample production = LatencySample.of(values(random, 60, 100));
            LatencySample debug = LatencySample.of(values(random, 60, 100));
            called += MannWhitney.compare(production, debug).p() < 0.05 ? 1 : 0;
        }
        assertThat(called).as("of 1000 at p < 0.05, seed 17").isBetween(25, 75);
    }

    @Test
    void oneValueOnly_isNoDifference() {
        LatencySample same = LatencySample.of(new double[100]);
        assertThat(MannWhitney.compare(same, same)).isEqualTo(new MannWhitney(5000, 1, 0));
        assertThatThrownBy(() -> MannWhitney.compare(same, LatencySample.of()))
                .hasMessage("100 and 0 values (expected: some of each)");
    }

    @Test
    void tails_areAccurate() {
        assertThat(Normal.outside(1.959963984540054)).isCloseTo(0.05, within(1e-12));
        assertThat(Normal.outside(-3.290526731491896)).isCloseTo(0.001, within(1e-12));
        assertThat(Normal.outside(6)).isCloseTo(1.973175290075396e-9, within(1e-15));
        assertThat(Normal.outside(2.9999999)).isCloseTo(Normal.outside(3.0000001), within(1e-8));
        assertThat(Normal.outside(0)).isEqualTo(1);
        assertThat(Normal.outside(60)).isZero();
    }

    private static double[] values(Random random, int count, int bound) {
        double[] values = new double[count];
        Arrays.setAll(values, i -> random.nextInt(bound));
        return values;
    }

    /** All ways to call as many of the values debug's, one bit for each value. */
    private static double tried(double[] production, double[] debug) {
        double[] all = Arrays.copyOf(production, production.length + debug.length);
        System.arraycopy(debug, 0, all, production.length, debug.length);
        double middle = production.length * debug.length / 2.0;
        double far = Math.abs(u(all, (1 << all.length) - (1 << production.length)) - middle);
        int ways = 0;
        int asFar = 0;
        for (int chosen = 0; chosen < 1 << all.length; chosen++) {
            if (Integer.bitCount(chosen) == debug.length) {
                ways++;
                asFar += Math.abs(u(all, chosen) - middle) >= far - 1e-9 ? 1 : 0;
            }
        }
        return (double) asFar / ways;
    }

    private static double u(double[] all, int debug) {
        double u = 0;
        for (int i = 0; i < all.length; i++) {
            for (int j = 0; j < all.length; j++) {
                if ((debug >> i & 1) == 1 && (debug >> j & 1) == 0) {
                    u += all[i] > all[j] ? 1 : all[i] == all[j] ? 0.5 : 0;
                }
            }
        }
        return u;
    }
}
