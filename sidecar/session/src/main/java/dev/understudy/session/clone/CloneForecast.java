package dev.understudy.session.clone;

import dev.understudy.session.clone.CloneCheck.Outcome;
import java.time.Duration;
import java.util.List;

/**
 * What a driver says before it makes a clone.
 *
 * @param checks all that were made, in the order in which they are shown
 * @param suspension how long production will stand still, predicted; zero where it doesn't
 */
public record CloneForecast(List<CloneCheck> checks, Duration suspension) {
    public CloneForecast {
        checks = List.copyOf(checks);
    }

    /** Whether no check refuses. */
    public boolean isPossible() {
        return checks.stream().noneMatch(check -> check.outcome() == Outcome.REFUSE);
    }
}
