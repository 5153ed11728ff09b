package dev.understudy.session.clone;

import dev.understudy.session.clone.CloneCheck.Outcome;
import dev.understudy.session.ledger.Ledger;
import dev.understudy.session.network.CloneWorld;
import dev.understudy.session.target.TargetProcess;
import dev.understudy.sidecar.verdict.CopyState;
import java.time.Duration;
import java.util.List;

/**
 * Stands in a plan for a driver that this machine can't have, so that the plan says why.
 *
 * @param name the driver's
 * @param state what its copies would begin with
 * @param why it can't be had, with the way out
 */
public record AbsentDriver(String name, CopyState state, String why) implements CloneDriver {
    @Override
    public CloneForecast forecast(TargetProcess target, CloneLimits limits) {
        return new CloneForecast(List.of(new CloneCheck(name, Outcome.REFUSE, why)), Duration.ZERO);
    }

    @Override
    public ServiceSnapshot snapshot(TargetProcess target, CloneLimits limits, Ledger ledger) throws CloneException {
        throw new CloneException(why);
    }

    @Override
    public DebugCopy restore(ServiceSnapshot snapshot, CloneWorld world, CopyNames names, Ledger ledger)
            throws CloneException {
        throw new CloneException(why);
    }

    @Override
    public void delete(ServiceSnapshot snapshot, Ledger ledger) {
        // there is none
    }

    @Override
    public void destroy(DebugCopy copy, Ledger ledger) {
        // there is none
    }
}
