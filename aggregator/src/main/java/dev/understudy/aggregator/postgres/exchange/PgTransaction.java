package dev.understudy.aggregator.postgres.exchange;

import dev.understudy.aggregator.fact.Transaction;
import dev.understudy.divergence.wire.postgres.PgMessage;

/** One of production's transactions on PostgreSQL; its error is an ErrorResponse. */
public final class PgTransaction extends Transaction<PgMessage> {
    /** Stands for all that were no blocks and are committed: nothing tells one from another. */
    public static final PgTransaction OF_ITS_OWN = committed();

    /** This transaction, or the one that stands for all which are over like it. */
    public PgTransaction settled() {
        return !block() && outcome() == Outcome.COMMITTED ? OF_ITS_OWN : this;
    }

    private static PgTransaction committed() {
        PgTransaction transaction = new PgTransaction();
        transaction.end(Outcome.COMMITTED, null);
        return transaction;
    }
}
