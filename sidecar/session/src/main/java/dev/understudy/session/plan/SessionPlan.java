package dev.understudy.session.plan;

import dev.understudy.session.clone.CloneCheck.Outcome;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a session will do, before it does anything.
 *
 * @param target what is debugged
 * @param drivers all forecasts, the best copy first
 * @param needs what each session needs on this machine
 * @param images where a snapshot will be
 */
public record SessionPlan(PlannedTarget target, List<DriverPlan> drivers, List<PlanNeed> needs, Path images) {
    public SessionPlan {
        drivers = List.copyOf(drivers);
        needs = List.copyOf(needs);
    }

    /** The best driver that doesn't refuse; empty if all do. */
    public Optional<DriverPlan> chosen() {
        return drivers.stream().filter(driver -> driver.forecast().isPossible()).findFirst();
    }

    /** Why the copy isn't made by a better driver, in a line; empty if it is made by the best one. */
    public Optional<String> fallback() {
        return chosen().filter(driver -> !driver.equals(drivers.get(0)))
                .flatMap(driver -> drivers.get(0).forecast().checks().stream()
                        .filter(check -> check.outcome() == Outcome.REFUSE)
                        .findFirst()
                        .map(check -> "the copy is " + driver.state() + ", not "
                                + drivers.get(0).state() + ": " + check.finding()));
    }

    /** What is missing on this machine. */
    public List<PlanNeed> missing() {
        return needs.stream().filter(need -> !need.isThere()).toList();
    }

    /** Whether the session can be begun. */
    public boolean isPossible() {
        return missing().isEmpty() && chosen().isPresent();
    }
}
