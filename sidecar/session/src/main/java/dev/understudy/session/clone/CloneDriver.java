package dev.understudy.session.clone;

import dev.understudy.session.ledger.Ledger;
import dev.understudy.session.network.CloneWorld;
import dev.understudy.session.target.TargetProcess;
import dev.understudy.sidecar.verdict.CopyState;
import java.util.List;

/**
 * A way to make a debug copy of a running service. Whatever goes wrong in it, production runs on.
 *
 * <p>All that a driver makes is in the ledger first. Between {@link #snapshot} and {@link #restore} the session makes
 * sure that somebody answers in the copy's world. Not for several threads at once.
 */
public interface CloneDriver {
    /** A word for it, such as {@code process} or {@code podman}. */
    String name();

    /** What its copies begin with. */
    CopyState state();

    /** Checks all that could stand in the way, without changing anything. */
    CloneForecast forecast(TargetProcess target, CloneLimits limits) throws InterruptedException;

    /**
     * Takes a snapshot of the target.
     *
     * @throws CloneException if that failed, or took longer than the limit; nothing of it is left then
     */
    ServiceSnapshot snapshot(TargetProcess target, CloneLimits limits, Ledger ledger)
            throws CloneException, InterruptedException;

    /**
     * Starts a copy in its world.
     *
     * @param names how the names of upstreams are resolved in there
     * @throws CloneException if it didn't come up; nothing of it is left then, the snapshot is
     */
    DebugCopy restore(ServiceSnapshot snapshot, CloneWorld world, CopyNames names, Ledger ledger)
            throws CloneException, InterruptedException;

    /** Whether its copies begin with the agent. Those of other drivers get it once they run. */
    default boolean startsAgent() {
        return false;
    }

    /** Starts a copy with the agent, if this driver can. */
    default DebugCopy restore(
            ServiceSnapshot snapshot, CloneWorld world, CopyNames names, CopyAgent agent, Ledger ledger)
            throws CloneException, InterruptedException {
        return restore(snapshot, world, names, ledger);
    }

    /** The last lines that a copy printed, as far as the driver keeps them. */
    default List<String> output(DebugCopy copy) {
        return List.of();
    }

    /** Deletes a snapshot; the copies made of it run on. */
    void delete(ServiceSnapshot snapshot, Ledger ledger);

    /** Ends a copy, and all that was made for it. */
    void destroy(DebugCopy copy, Ledger ledger) throws InterruptedException;

    /** Whether a fresh copy can take the place of one that runs. */
    default boolean canRenew() {
        return true;
    }
}
