package dev.understudy.agent.budget;

/**
 * Divides a budget over probes: maximises Σ w·log(1+s) under Σ c·s ≤ B and floor ≤ s ≤ f (design, section 4).
 *
 * <p>The optimum is s = clamp(w/(ν·c) − 1, floor, f) with one price ν for all, found by bisection; the last price
 * is where the next search begins. Not safe for several threads.
 */
public final class WaterFilling {
    private static final double TOLERANCE = 0.005;
    private static final int STEPS = 60;

    private double price = 1;

    /**
     * Divides the budget.
     *
     * @param count how many probes there are; the arrays are at least as long
     * @param weight w, above 0
     * @param cost c in core seconds per sample, above 0
     * @param floor the fewest samples per second, at most {@code most}
     * @param most f in samples per second
     * @param budget B in core seconds per second
     * @param samples receives s in samples per second
     * @return the price ν; 0 if the budget suffices for everything
     */
    public double divide(
            int count, double[] weight, double[] cost, double[] floor, double[] most, double budget, double[] samples) {
        if (spend(count, weight, cost, floor, most, 0, samples) <= budget) {
            return 0;
        }
        double low = price;
        double high = price;
        for (int i = 0; i < STEPS && spend(count, weight, cost, floor, most, high, samples) > budget; i++) {
            high *= 8;
        }
        for (int i = 0; i < STEPS && spend(count, weight, cost, floor, most, low, samples) <= budget; i++) {
            low /= 8;
        }
        for (int i = 0; i < STEPS; i++) {
            double middle = Math.sqrt(low * high);
            double spent = spend(count, weight, cost, floor, most, middle, samples);
            if (spent > budget) {
                low = middle;
            } else {
                high = middle;
                if (spent >= budget * (1 - TOLERANCE)) {
                    break;
                }
            }
        }
        price = high;
        spend(count, weight, cost, floor, most, high, samples);
        return high;
    }

    private static double spend(
            int count, double[] weight, double[] cost, double[] floor, double[] most, double price, double[] samples) {
        double spent = 0;
        for (int i = 0; i < count; i++) {
            double wanted = price == 0 ? most[i] : weight[i] / (price * cost[i]) - 1;
            double s = Math.max(floor[i], Math.min(most[i], wanted));
            samples[i] = s;
            spent += cost[i] * s;
        }
        return spent;
    }
}
