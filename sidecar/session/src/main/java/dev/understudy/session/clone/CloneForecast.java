package dev.understudy.session.clone;

import dev.understudy.session.clone.CloneCheck.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

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

    /**
     * Does nothing if no check refuses.
     *
     * @throws CloneException with what those say that do
     */
    public void requirePossible() throws CloneException {
        if (!isPossible()) {
            throw new CloneException(checks.stream()
                    .filter(check -> check.outcome() == Outcome.REFUSE)
                    .map(check -> check.name() + ": " + check.finding())
                    .collect(Collectors.joining("\n")));
        }
    }
}
