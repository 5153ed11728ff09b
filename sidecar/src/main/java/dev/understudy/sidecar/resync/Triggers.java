package dev.understudy.sidecar.resync;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Tells when it is time, by what was counted in the epoch so far. Immutable. */
final class Triggers {
    /** A share says little of fewer comparisons. */
    static final int ENOUGH = 100;

    private final ResyncConfig config;

    Triggers(ResyncConfig config) {
        this.config = config;
    }

    /** @param age of the epoch. Null if nothing is to be done yet */
    @Nullable
    Cause due(ResyncStanding counted, Duration age) {
        if (age.compareTo(config.pause()) < 0) {
            return null;
        }
        if (config.onOverflow() && counted.overflows() > 0) {
            return Cause.OVERFLOW;
        }
        if (config.onDivergence() != ResyncConfig.NEVER && diverged(counted)) {
            return Cause.DIVERGENCE;
        }
        boolean late = !config.every().isZero() && age.compareTo(config.every()) >= 0;
        return late ? Cause.PERIODIC : null;
    }

    private boolean diverged(ResyncStanding counted) {
        if (config.onDivergence() == 0) {
            return counted.different() > 0;
        }
        return counted.compared() >= ENOUGH && counted.different() >= config.onDivergence() * counted.compared();
    }
}
