package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.postgres.exchange.PgTransaction;
import dev.understudy.aggregator.postgres.exchange.PgTransaction.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The transaction status of one debug session, and from which of production's transactions its answers came.
 *
 * <p>Answers of one debug transaction may come from several of production's where concurrent transactions ran the same
 * statements; the one that gave most of them stands for all.
 */
final class DebugTransaction {
    private final Map<PgTransaction, Integer> origins = new LinkedHashMap<>();
    private final List<String> savepoints = new ArrayList<>();
    private char status = 'I';
    private boolean writing;

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
        }
    }

    /** Something was asked for that may change what later statements of this transaction read. */
    void wrote() {
        writing = true;
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
        }
    }

    void fail() {
        if (status == 'T') {
            status = 'E';
        }
    }

    void savepoint(String name) {
        savepoints.add(name);
    }

    /** Forgets the savepoints since this one and, if so wanted, itself; false if there is none of the name. */
    boolean backTo(String name, boolean inclusive) {
        int at = savepoints.lastIndexOf(name);
        if (at < 0) {
            return false;
        }
        savepoints.subList(inclusive ? at : at + 1, savepoints.size()).clear();
        return true;
    }

    void recovered() {
        status = 'T';
    }

    /** An answer came from this transaction of production's. */
    void answeredFrom(PgTransaction origin) {
        origins.merge(origin, 1, Integer::sum);
    }

    /** The transaction block of production's that most answers came from; null if none came from a block. */
    @Nullable
    PgTransaction block() {
        PgTransaction most = null;
        int count = 0;
        for (Map.Entry<PgTransaction, Integer> origin : origins.entrySet()) {
            if (origin.getKey().block() && origin.getValue() >= count) {
                most = origin.getKey();
                count = origin.getValue();
            }
        }
        return most;
    }

    /** Outside a block: an answer's own commit that the server refused; null if there was none. */
    @Nullable
    PgTransaction refused() {
        return origins.keySet().stream()
                .filter(origin -> !origin.block() && origin.outcome() == Outcome.COMMIT_FAILED)
                .findFirst()
                .orElse(null);
    }

    /** Outside a block, the next Sync begins anew. */
    void synced() {
        if (status == 'I') {
            origins.clear();
            writing = false;
        }
    }
}
