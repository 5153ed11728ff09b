package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.postgres.exchange.PgReply;
import dev.understudy.aggregator.postgres.exchange.PgResult;
import dev.understudy.aggregator.postgres.exchange.PgScript;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reply that says that the statement was cancelled. Production's client had a timer, and so has the debug JVM: if the
 * reply came at once, its own cancel request would hit the statement behind.
 */
final class CancelledReply {
    private static final String CANCELLED = "57014";
    private static final String BY_CLIENT = "user request";

    private CancelledReply() {}

    /**
     * How long it is kept back, unless the debug JVM cancels before: for the server's own timeouts as long as it took,
     * for a client's longer by {@code patienceNanos}; 0 for any other reply.
     */
    static long holdNanos(PgReply reply, long tookNanos, long patienceNanos) {
        PgMessage end = reply instanceof PgResult result ? result.end() : last(((PgScript) reply).messages());
        if (end == null || end.type() != 'E' || !PgErrors.state(end).equals(CANCELLED)) {
            return 0;
        }
        String message = PgErrors.field(end, 'M');
        return tookNanos + (message != null && message.contains(BY_CLIENT) ? patienceNanos : 0);
    }

    private static @Nullable PgMessage last(List<PgMessage> messages) {
        return messages.isEmpty() ? null : messages.get(messages.size() - 1);
    }
}
