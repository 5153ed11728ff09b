package dev.understudy.aggregator.postgres.exchange;

import dev.understudy.aggregator.journal.Reply;

/** What the server answered to one statement, script or function call, and in which transaction. */
public sealed interface PgReply extends Reply permits PgResult, PgScript {
    /** Production's transaction that this was part of. */
    PgTransaction transaction();
}
