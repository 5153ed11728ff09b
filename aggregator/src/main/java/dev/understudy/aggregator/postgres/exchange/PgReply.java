package dev.understudy.aggregator.postgres.exchange;

import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.match.ReplyGroup;
import org.jspecify.annotations.Nullable;

/** What the server answered to one statement, script or function call, and in which transaction. */
public sealed interface PgReply extends RecordedReply permits PgResult, PgScript {
    /** SQLSTATE: a reply was recorded that can't be given in the way it is asked for, or not as a whole. */
    String NOT_PRESENTABLE = "UD002";

    /** Production's transaction that this was part of. */
    PgTransaction transaction();

    @Override
    default @Nullable ReplyGroup group() {
        return transaction().block() ? transaction() : null;
    }
}
