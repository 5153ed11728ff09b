package dev.understudy.agent.budget;

import dev.understudy.agent.bootstrap.Branches;
import dev.understudy.agent.bootstrap.Observations;
import java.util.Arrays;
import java.util.function.IntSupplier;

/**
 * How often each branch on the second level is passed, and what that costs whether an exchange is observed or not.
 *
 * <p>The cost of a pass is tried when the first class comes to that level. Guarded by the {@link Governor}.
 */
final class Passing {
    private static final double LOOK_SECONDS = 1;

    private final IntSupplier branches;
    private double passNanos;
    private int[] seen = new int[0];
    private double[] share = new double[0];
    private double since;
    private double all;

    /** @param branches the smallest number no branch has yet */
    Passing(IntSupplier branches) {
        this.branches = branches;
    }

    /** Takes in the last {@code seconds}; once a second it looks. */
    void learn(double seconds) {
        int count = branches.getAsInt();
        since += seconds;
        if (count <= 1 || since < LOOK_SECONDS) {
            return;
        }
        if (passNanos == 0) {
            passNanos = Math.max(0.5, Branches.passNanos());
            Observations.branchPrice(Math.max(1, Observations.branchNanos()));
        }
        if (seen.length < count) {
            seen = Arrays.copyOf(seen, count * 2);
            share = Arrays.copyOf(share, count * 2);
        }
        all = 0;
        for (int branch = 1; branch < count; branch++) {
            int now = Branches.passed(branch);
            share[branch] = Math.max(0, now - seen[branch]) / since * passNanos / 1e9;
            seen[branch] = now;
            all += share[branch];
        }
        since = 0;
    }

    /** What passing them costs lately, as a share of one core. */
    double share() {
        return all;
    }

    /** What passing that one costs lately. */
    double share(int branch) {
        return branch < share.length ? share[branch] : 0;
    }
}
