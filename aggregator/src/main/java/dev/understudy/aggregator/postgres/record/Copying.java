package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.postgres.exchange.PgScript;
import dev.understudy.aggregator.postgres.sql.CopiedData;
import dev.understudy.aggregator.postgres.sql.PgSessionState;
import dev.understudy.aggregator.postgres.sql.PgStatementKind;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.divergence.wire.postgres.PgMessage;
import org.jspecify.annotations.Nullable;

/**
 * One COPY … FROM STDIN of production: its data goes by, and the answer is published under what the data was.
 *
 * <p>The server may answer with an error before the client has sent all, and the client may or may not send the rest:
 * only a client that says that this was all is recorded. Confined to the connection's lane loop.
 */
final class Copying {
    private final CopiedData data;
    private final PgSessionState state;
    private final String sql;
    private final PgPublication publication;
    private final long startNanos;
    private @Nullable PgScript answer;
    private long endNanos;
    private boolean told;

    /** @param data what the client has sent of it so far, perhaps ahead of the server's answer */
    Copying(CopiedData data, PgSessionState state, String sql, PgPublication publication, long startNanos) {
        this.data = data;
        this.state = state;
        this.sql = sql;
        this.publication = publication;
        this.startNanos = startNanos;
    }

    /** The client has sent this. */
    void add(PgMessage message) {
        data.add(message);
        settle();
    }

    /** The server's answer, its end included. */
    void answered(PgScript how, long nanos) {
        told = true;
        answer = how;
        endNanos = nanos;
        settle();
    }

    /** Whether the client has sent all. */
    boolean ended() {
        return data.ended();
    }

    boolean answered() {
        return told;
    }

    /** The client does something else without having said that this was all. */
    void abandon() {
        if (!data.ended()) {
            publication.dropped(Unrecorded.BULK_COPY);
        }
    }

    private void settle() {
        PgScript known = answer;
        if (known != null && data.ended()) {
            publication.finished(PgStatementKind.COPY, data.form(state, sql), known, startNanos, endNanos);
            answer = null;
        }
    }
}
