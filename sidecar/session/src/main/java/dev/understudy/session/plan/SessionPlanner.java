package dev.understudy.session.plan;

import dev.understudy.session.clone.CloneDriver;
import dev.understudy.session.clone.CloneLimits;
import dev.understudy.session.clone.process.RestartDriver;
import dev.understudy.session.target.TargetException;
import dev.understudy.session.target.TargetSurvey;
import dev.understudy.sidecar.verdict.CopyState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** Makes the plan of a session. Reads only. */
public final class SessionPlanner {
    private final Function<PlannedTarget, List<CloneDriver>> drivers;
    private final CloneLimits limits;

    /** @param drivers those that may copy a target, in any order */
    public SessionPlanner(Function<PlannedTarget, List<CloneDriver>> drivers, CloneLimits limits) {
        this.drivers = drivers;
        this.limits = limits;
    }

    /**
     * Finds what the options name, and plans a session for it; may wait some seconds.
     *
     * @throws TargetException if there is nothing to debug; with the way out
     */
    public SessionPlan plan(TargetOptions options) throws TargetException, InterruptedException {
        return plan(TargetLookup.find(options));
    }

    /** Plans a session for a target. */
    public SessionPlan plan(PlannedTarget target) throws InterruptedException {
        List<DriverPlan> plans = new ArrayList<>();
        TargetSurvey survey = target.survey();
        if (survey == null) {
            plans.add(new DriverPlan(
                    RestartDriver.NAME,
                    CopyState.COLD,
                    new RestartDriver(CopyState.COLD, 0).forecast(target.command(), limits)));
        } else {
            for (CloneDriver driver : drivers.apply(target)) {
                plans.add(new DriverPlan(driver.name(), driver.state(), driver.forecast(survey.process(), limits)));
            }
        }
        plans.sort(Comparator.comparing(DriverPlan::state));
        return new SessionPlan(target, plans, HostNeeds.all(), limits.images());
    }
}
