package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.postgres.exchange.QueryStep;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * ParseComplete and BindComplete of steps of which it isn't known yet whether production's server refused them: that is
 * decided by the answer to the execution that they prepare, or by what the server answered to preparing the statement
 * alone. Confined to the connection's event loop.
 */
final class Confirmations {
    private static final PgMessage PARSE_COMPLETE = new PgMessage('1', new byte[0]);
    private static final PgMessage BIND_COMPLETE = new PgMessage('2', new byte[0]);

    private final PgOutlet outlet;
    private final Queue<Step> steps = new ArrayDeque<>();

    /** One of the client's steps; a Parse has no portal. */
    private static final class Step {
        private final Prepared statement;
        private final @Nullable DebugPortal portal;
        private boolean settled;

        Step(Prepared statement, @Nullable DebugPortal portal) {
            this.statement = statement;
            this.portal = portal;
            this.settled = portal != null || statement.command.local();
        }

        boolean parses(Prepared one) {
            return portal == null && statement == one;
        }
    }

    Confirmations(PgOutlet outlet) {
        this.outlet = outlet;
    }

    void parsed(Prepared statement) {
        steps.add(new Step(statement, null));
    }

    void bound(DebugPortal portal) {
        steps.add(new Step(portal.statement, portal));
    }

    int size() {
        return steps.size();
    }

    /**
     * The first statement of which it isn't known whether it can be prepared, besides one whose execution will show;
     * null if there is none.
     */
    @Nullable
    Prepared unsettled(@Nullable Prepared executed) {
        for (Step step : steps) {
            if (!step.settled && step.statement != executed) {
                return step.statement;
            }
        }
        return null;
    }

    /** A statement can be prepared. */
    void settled(Prepared statement) {
        for (Step step : steps) {
            step.settled |= step.parses(statement);
        }
    }

    /** Confirms all. */
    void release() {
        for (Step step = steps.poll(); step != null; step = steps.poll()) {
            outlet.write(step.portal == null ? PARSE_COMPLETE : BIND_COMPLETE);
        }
    }

    /** Confirms all that came before production's server refused this step for this portal. */
    void refused(DebugPortal portal, QueryStep at) {
        releaseUntil(step -> (at != QueryStep.EXECUTE && step.portal == portal)
                || (at == QueryStep.PARSE && step.parses(portal.statement)));
    }

    /** Confirms all that came before production's server refused this statement. */
    void refused(Prepared statement) {
        releaseUntil(step -> step.parses(statement));
    }

    private void releaseUntil(Predicate<Step> refused) {
        for (Step step = steps.poll(); step != null; step = steps.poll()) {
            if (refused.test(step)) {
                steps.clear();
            } else {
                outlet.write(step.portal == null ? PARSE_COMPLETE : BIND_COMPLETE);
            }
        }
    }
}
