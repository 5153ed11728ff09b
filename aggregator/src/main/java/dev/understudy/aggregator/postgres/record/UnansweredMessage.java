package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.postgres.sql.CopiedData;
import dev.understudy.divergence.wire.postgres.Frontend;
import java.util.ArrayDeque;
import java.util.Queue;

/** A message that waits for its answer, and the bytes it takes meanwhile. Confined to the connection's lane loop. */
final class UnansweredMessage {
    final Frontend message;
    final long nanos;
    int bytes;

    /** The data of COPYs that the client has sent behind this message, before the server asked for it. */
    final Queue<CopiedData> early = new ArrayDeque<>(0);

    UnansweredMessage(Frontend message, int bytes, long nanos) {
        this.message = message;
        this.bytes = bytes;
        this.nanos = nanos;
    }

    /** Whether it is a whole request, as those of the simple protocol are. */
    boolean script() {
        return message instanceof Frontend.Query
                || message instanceof Frontend.FunctionCall
                || (message instanceof Frontend.Oversized lost && lost.type() == 'F');
    }

    boolean sync() {
        return message == Frontend.Plain.SYNC;
    }
}
