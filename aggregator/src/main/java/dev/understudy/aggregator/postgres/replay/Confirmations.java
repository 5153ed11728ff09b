package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.postgres.exchange.QueryStep;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * ParseComplete and BindComplete of steps of which it isn't known yet whether production's server refused them: that is
 * decided by the answer to the execution that they prepare. Confined to the connection's event loop.
 */
final class Confirmations {
    private static final PgMessage PARSE_COMPLETE = new PgMessage('1', new byte[0]);
    private static final PgMessage BIND_COMPLETE = new PgMessage('2', new byte[0]);

    private final PgOutlet outlet;
    private final Queue<Step> steps = new ArrayDeque<>();

    /** One of the client's steps; a Parse has no portal. */
    private record Step(Prepared statement, @Nullable DebugPortal portal) {
        PgMessage complete() {
            return portal == null ? PARSE_COMPLETE : BIND_COMPLETE;
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

    /** Confirms all. */
    void release() {
        for (Step step = steps.poll(); step != null; step = steps.poll()) {
            outlet.write(step.complete());
        }
    }

    /** Confirms all that came before production's server refused this step for this portal. */
    void refused(DebugPortal portal, QueryStep at) {
        steps.removeIf(step -> step.portal == portal && at != QueryStep.EXECUTE);
        if (at == QueryStep.PARSE) {
            refused(portal.statement);
        } else {
            release();
        }
    }

    /** Confirms all that came before production's server refused this statement. */
    void refused(Prepared statement) {
        steps.removeIf(step -> step.portal == null && step.statement == statement);
        release();
    }
}
