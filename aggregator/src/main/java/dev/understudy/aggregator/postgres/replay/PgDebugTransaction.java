package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.fact.Transaction.Outcome;
import dev.understudy.aggregator.postgres.exchange.PgTransaction;
import dev.understudy.aggregator.postgres.sql.Settings;
import dev.understudy.aggregator.sql.Origins;
import dev.understudy.aggregator.sql.Savepoints;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import org.jspecify.annotations.Nullable;

/**
 * The transaction status of one debug session, and from which of production's transactions its answers came.
 *
 * <p>Answers of one debug transaction may come from several of production's where concurrent transactions ran the same
 * statements; the one that gave most of them stands for all.
 */
final class PgDebugTransaction {
    final Origins<PgTransaction> origins = new Origins<>();
    final Savepoints savepoints = new Savepoints();
    private char status = 'I';
    private boolean writing;
    private boolean queried;

    /** Memory that it takes. */
    long heldBytes() {
        return origins.heldBytes() + savepoints.heldBytes();
    }

    /** {@code I} outside a block, {@code T} in one, {@code E} in a failed one. */
    char status() {
        return status;
    }

    boolean failed() {
        return status == 'E';
    }

    void begin() {
        if (status == 'I') {
            status = 'T';
            origins.clear();
            writing = false;
            queried = false;
        }
    }

    /** Something was asked for that may change what later statements of this transaction read. */
    void wrote() {
        writing = true;
    }

    /** Something was asked for that has a snapshot taken: from then on the transaction's modes stand. */
    void queried() {
        queried = true;
    }

    /** The error that a SET TRANSACTION gets which comes too late; null if it doesn't. */
    @Nullable
    PgMessage tooLate(Settings settings, String sql) {
        String why = status == 'I' ? null : settings.tooLate(sql, queried, savepoints.any());
        return why == null ? null : PgErrors.error("25001", why, null, null);
    }

    /** Whether that was so since the transaction began, be it a block or what stands between two Syncs. */
    boolean writing() {
        return writing;
    }

    void end() {
        status = 'I';
        origins.clear();
        savepoints.clear();
        writing = false;
        queried = false;
    }

    /** A script that begins or ends blocks leaves the session as it left production's. */
    void adopt(char recorded) {
        if (recorded == 'I') {
            end();
        } else {
            boolean wrote = writing;
            begin();
            status = recorded;
            writing = wrote;
            queried = true;
        }
    }

    void fail() {
        if (status == 'T') {
            status = 'E';
        }
    }

    void recovered() {
        status = 'T';
    }

    /** Outside a block: an answer's own commit that the server refused; null if there was none. */
    @Nullable
    PgTransaction refused() {
        return origins.first(origin -> !origin.block() && origin.outcome() == Outcome.COMMIT_FAILED);
    }

    /** Outside a block, the next Sync begins anew. */
    void synced() {
        if (status == 'I') {
            origins.clear();
            writing = false;
        }
    }
}
