package dev.understudy.aggregator.mysql.exchange;

import dev.understudy.aggregator.fact.Transaction;
import dev.understudy.divergence.wire.mysql.result.Err;

/** One of production's transactions on MySQL. */
public final class MySqlTransaction extends Transaction<Err> {

    /** One that the client ends. */
    public static MySqlTransaction open() {
        MySqlTransaction open = new MySqlTransaction();
        open.becomesBlock();
        return open;
    }

    /** One that was over with its only statement. */
    public static MySqlTransaction single() {
        MySqlTransaction over = new MySqlTransaction();
        over.end(Outcome.COMMITTED, null);
        return over;
    }
}
