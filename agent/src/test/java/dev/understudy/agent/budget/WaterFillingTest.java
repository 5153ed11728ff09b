package dev.understudy.agent.budget;

import dev.understudy.agent.Fuzz;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

@Tag("any-jdk")
final class WaterFillingTest {
    private static final int GRID = 60;

    private final double[] weight = new double[200];
    private final double[] cost = new double[200];
    private final double[] floor = new double[200];
    private final double[] most = new double[200];
    private final double[] samples = new double[200];
    private final WaterFilling filling = new WaterFilling();

    @Test
    void division_isNeverWorseThanTheBestOfAFineGrid() {
        for (long seed = 0; seed < Fuzz.rounds(60); seed++) {
            Random random = new Random(seed);
            int count = 2 + random.nextInt(2);
            double budget = problem(count, random);

            filling.divide(count, weight, cost, floor, most, budget, samples);

            double best = best(count, budget, new double[count], 0);
            assertThat(worth(count, samples)).as("seed %d", seed).isGreaterThan(best - 0.01 * Math.abs(best) - 1e-9);
        }
    }

    @Test
    void division_keepsTheBudgetAndTheBounds() {
        for (long seed = 0; seed < Fuzz.rounds(300); seed++) {
            Random random = new Random(seed);
            int count = 1 + random.nextInt(200);
            double budget = problem(count, random);

            double price = filling.divide(count, weight, cost, floor, most, budget, samples);

            double spent = 0;
            for (int i = 0; i < count; i++) {
                spent += cost[i] * samples[i];
                assertThat(samples[i]).as("seed %d, probe %d", seed, i).isBetween(floor[i], most[i]);
            }
            assertThat(spent).as("seed %d", seed).isLessThanOrEqualTo(budget * (1 + 1e-9));
            if (price > 0) {
                assertThat(spent).as("seed %d", seed).isGreaterThan(budget * 0.98);
            }
        }
    }

    @Test
    void aBudgetForEverything_samplesEverythingAtNoPrice() {
        Random random = new Random(1);
        problem(50, random);

        assertThat(filling.divide(50, weight, cost, floor, most, 1e12, samples)).isZero();
        for (int i = 0; i < 50; i++) {
            assertThat(samples[i]).isEqualTo(most[i]);
        }
    }

    @Test
    void rareProbes_areSampledFullyBeforeFrequentOnes() {
        java.util.Arrays.fill(weight, 1);
        java.util.Arrays.fill(cost, 1e-6);
        most[0] = 5;
        most[1] = 1_000_000;

        filling.divide(2, weight, cost, floor, most, 0.001, samples);

        assertThat(samples[0]).isEqualTo(5);
        assertThat(samples[1]).isCloseTo(995, within(10.0));
    }

    private double problem(int count, Random random) {
        double all = 0;
        double floors = 0;
        for (int i = 0; i < count; i++) {
            weight[i] = 0.1 + random.nextDouble() * 5;
            cost[i] = Math.exp(random.nextDouble() * 4) * 1e-7;
            most[i] = Math.exp(random.nextDouble() * 12);
            floor[i] = Math.min(most[i], random.nextDouble() * 0.2);
            all += cost[i] * most[i];
            floors += cost[i] * floor[i];
        }
        return floors + (all - floors) * (0.02 + random.nextDouble() * 0.9);
    }

    /** The best worth that a grid over what each probe may spend can reach. */
    private double best(int count, double budget, double[] chosen, int probe) {
        if (probe == count) {
            return worth(count, chosen);
        }
        double best = Double.NEGATIVE_INFINITY;
        for (int step = 0; step <= GRID; step++) {
            double s = floor[probe] + (most[probe] - floor[probe]) * Math.pow((double) step / GRID, 3);
            double left = budget - s * cost[probe];
            if (left < 0) {
                break;
            }
            chosen[probe] = s;
            best = Math.max(best, best(count, left, chosen, probe + 1));
        }
        return best;
    }

    private double worth(int count, double[] s) {
        double worth = 0;
        for (int i = 0; i < count; i++) {
            worth += weight[i] * Math.log1p(s[i]);
        }
        return worth;
    }
}
