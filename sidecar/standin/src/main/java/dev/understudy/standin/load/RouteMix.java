package dev.understudy.standin.load;

import dev.understudy.standin.model.RouteModel;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Says which route is next: each as often as in production. Confined to one thread. */
final class RouteMix {
    private final double[] upTo;
    private final SplittableRandom random;

    RouteMix(List<RouteModel> routes, SplittableRandom random) {
        this.random = random;
        upTo = new double[routes.size()];
        double sum = 0;
        for (int i = 0; i < upTo.length; i++) {
            sum += routes.get(i).share();
            upTo[i] = sum;
        }
    }

    /** The place of the next one in the model. */
    int next() {
        int found = Arrays.binarySearch(upTo, random.nextDouble() * upTo[upTo.length - 1]);
        return Math.min(found < 0 ? -found - 1 : found + 1, upTo.length - 1);
    }
}
