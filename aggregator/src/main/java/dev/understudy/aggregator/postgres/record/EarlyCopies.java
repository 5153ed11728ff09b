package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.postgres.sql.CopiedData;
import dev.understudy.divergence.wire.postgres.MalformedMessageException;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * The data of COPYs that a client sends without waiting until the server asks for it. Data that the server doesn't ask
 * for it ignores, and it goes with the message behind which it came. Confined to the connection's lane loop.
 */
final class EarlyCopies {
    private static final int PER_COPY = 400;

    private final Deque<UnansweredMessage> pending;
    private final Allowance allowance;
    private @Nullable CopiedData arriving;

    EarlyCopies(Deque<UnansweredMessage> pending, Allowance allowance) {
        this.pending = pending;
        this.allowance = allowance;
    }

    /** A CopyData, CopyDone or CopyFail has come; it belongs to what was sent last. */
    void add(PgMessage message) {
        UnansweredMessage latest = pending.peekLast();
        if (latest == null) {
            arriving = null;
            return;
        }
        CopiedData data = arriving;
        if (data == null) {
            if (!allowance.take(PER_COPY)) {
                throw new MalformedMessageException("too much data of COPYs without an answer");
            }
            latest.bytes += PER_COPY;
            data = new CopiedData();
        } else {
            CopiedData moved = data;
            pending.forEach(one -> one.early.remove(moved));
        }
        latest.early.add(data);
        data.add(message);
        arriving = data.ended() ? null : data;
    }

    /**
     * The server asks for the data of a COPY; it ignores the Syncs that the client has sent ahead of that.
     *
     * @return what has come of it so far
     */
    CopiedData requested() {
        arriving = null;
        boolean any = pending.stream().anyMatch(one -> !one.early.isEmpty());
        for (Iterator<UnansweredMessage> all = pending.iterator(); all.hasNext(); ) {
            UnansweredMessage one = all.next();
            CopiedData data = one.early.poll();
            if (one.sync()) {
                all.remove();
                allowance.giveBack(one.bytes);
            }
            if (any && data != null) {
                return data;
            }
        }
        return new CopiedData();
    }
}
