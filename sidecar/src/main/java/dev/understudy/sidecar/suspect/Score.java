package dev.understudy.sidecar.suspect;

/**
 * How much more likely an exchange fails if a predicate holds (design, section 4; Liblit et al., Scalable Statistical
 * Bug Isolation, 2005).
 *
 * <p>Increase is Failure less Context. Its interval is Newcombe's for the difference between exchanges in which it held
 * and those in which it was seen not to hold, times the share of the latter, which is the same difference: unlike the
 * usual one it doesn't shrink to a point when all of few exchanges failed.
 *
 * @param failing F(P), failing exchanges in which it held
 * @param successful S(P)
 * @param failingObserved F(P observed), at least F(P)
 * @param successfulObserved S(P observed), at least S(P)
 */
record Score(int failing, int successful, int failingObserved, int successfulObserved) {
    private static final double Z = 1.959964;

    double failure() {
        return share(failing, failing + successful);
    }

    /**
     * Whether Failure isn't below the other's by more than {@code least}, nor than its own standard error: it may have
     * been seen in fewer exchanges.
     */
    boolean isAsFailing(Score other, double least) {
        double error = Math.sqrt(failure() * (1 - failure()) / Math.max(1, failing + successful));
        return failure() > other.failure() - Math.max(least, error);
    }

    double context() {
        return share(failingObserved, failingObserved + successfulObserved);
    }

    double increase() {
        return failure() - context();
    }

    /** The lower end of Increase's 95 % interval. */
    double low() {
        return end(-1);
    }

    /** The upper end of Increase's 95 % interval. */
    double high() {
        return end(1);
    }

    /**
     * At most how probable it is that, of exchanges that fail no likelier if it holds, as many of the failing ones or
     * more show it as did (Chernoff's bound for a binomial distribution, from the divergence of both shares).
     */
    double chance() {
        double held = share(failing, failingObserved);
        double expected = share(failing + successful, failingObserved + successfulObserved);
        if (held <= expected) {
            return 1;
        }
        double divergence =
                held * Math.log(held / expected) + (held == 1 ? 0 : (1 - held) * Math.log((1 - held) / (1 - expected)));
        return Math.exp(-failingObserved * divergence);
    }

    /** The harmonic mean of Increase and log F(P) / log NumF; 0 unless Increase is above 0. */
    double importance(int allFailing) {
        if (increase() <= 0 || failing <= 1) {
            return 0;
        }
        double sensitivity = Math.log(failing) / Math.log(Math.max(allFailing, failing));
        return 2 / (1 / increase() + 1 / sensitivity);
    }

    private double end(int sign) {
        int heldIn = failing + successful;
        int otherIn = failingObserved + successfulObserved - heldIn;
        if (heldIn == 0 || otherIn <= 0) {
            return 0;
        }
        double held = share(failing, heldIn);
        double other = share(failingObserved - failing, otherIn);
        double ofHeld = held - wilson(held, heldIn, sign);
        double ofOther = other - wilson(other, otherIn, -sign);
        double difference = held - other + sign * Math.sqrt(ofHeld * ofHeld + ofOther * ofOther);
        return difference * otherIn / (heldIn + otherIn);
    }

    /** An end of Wilson's interval of a share {@code p} of {@code n}. */
    private static double wilson(double p, int n, int sign) {
        double z2 = Z * Z;
        double half = Z * Math.sqrt(p * (1 - p) / n + z2 / (4.0 * n * n));
        return (p + z2 / (2.0 * n) + sign * half) / (1 + z2 / n);
    }

    private static double share(int part, int all) {
        return all == 0 ? 0 : (double) part / all;
    }
}
