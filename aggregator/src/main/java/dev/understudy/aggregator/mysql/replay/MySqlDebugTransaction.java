package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.mysql.exchange.MySqlTransaction;
import dev.understudy.aggregator.sql.Origins;
import dev.understudy.aggregator.sql.Savepoints;

/**
 * One debug transaction, and from which of production's its answers came; the one that gave most of them stands for
 * all.
 */
final class MySqlDebugTransaction {
    final Origins<MySqlTransaction> origins = new Origins<>();
    final Savepoints savepoints = new Savepoints();
    private boolean writing;

    /** An answer came from this; one that was over with its statement has no end to wait for. */
    void answeredFrom(MySqlTransaction origin) {
        if (origin.block()) {
            origins.add(origin);
        }
    }

    /** Something was asked for that may change what later statements of this transaction read. */
    void wrote() {
        writing = true;
    }

    boolean writing() {
        return writing;
    }

    /** Memory that it takes. */
    long heldBytes() {
        return origins.heldBytes() + savepoints.heldBytes();
    }

    void end() {
        origins.clear();
        savepoints.clear();
        writing = false;
    }
}
