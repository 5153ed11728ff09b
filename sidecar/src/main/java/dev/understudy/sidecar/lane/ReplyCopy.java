package dev.understudy.sidecar.lane;

import dev.understudy.divergence.compare.HttpReply;
import dev.understudy.divergence.compare.HttpReplyCapture;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.relay.MemoryBudget;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One side's reply while it waits for the other's, charged to the lane's budget.
 *
 * <p>Input goes before comparison: replies are kept only while less than half of the lane's budget is used, so that
 * they never close the window.
 */
final class ReplyCopy {
    private final MemoryBudget budget;
    private final int maxBody;
    private @Nullable HttpReplyCapture capture;
    private long charged;
    private boolean refused;

    /** When the reply began and, once it did, ended; {@code System.nanoTime()}. */
    long begunNanos;

    long endedNanos;
    int status;
    boolean begun;
    boolean complete;

    ReplyCopy(MemoryBudget budget, int maxBody) {
        this.budget = budget;
        this.maxBody = maxBody;
    }

    void head(ReplyHead head, int rawLength, long nanos) {
        begun = true;
        begunNanos = nanos;
        status = head.status();
        HttpReplyCapture current = capture();
        if (current != null) {
            current.head(head, rawLength);
            charge(current);
        }
    }

    /** A 1xx reply before the reply proper. */
    void interim(ReplyHead head, int rawLength) {
        HttpReplyCapture current = capture();
        if (current != null) {
            current.interim(head, rawLength);
            charge(current);
        }
    }

    private @Nullable HttpReplyCapture capture() {
        if (capture == null && !refused) {
            capture = new HttpReplyCapture(maxBody);
        }
        return capture;
    }

    void body(ByteBuffer content, int rawLength) {
        HttpReplyCapture current = capture;
        if (current != null) {
            current.body(content, rawLength);
            charge(current);
        }
    }

    void trailers(List<Header> trailers) {
        if (capture != null) {
            capture.trailers(trailers);
        }
    }

    void end(long nanos) {
        complete = true;
        endedNanos = nanos;
        if (capture != null) {
            capture.end();
        }
    }

    /** The reply, or null if there was no room to keep it, or none has begun. */
    @Nullable
    HttpReply finish(Instant requested, Instant ended) {
        return capture == null || !capture.begun() ? null : capture.finish(requested, ended);
    }

    /** Gives the memory back, and keeps nothing from now on. */
    void drop() {
        refused = true;
        capture = null;
        budget.release(charged);
        charged = 0;
    }

    private void charge(HttpReplyCapture current) {
        long more = current.heldBytes() - charged;
        if (more <= 0) {
            return;
        }
        if (budget.used() + more > budget.capacity() / 2 || !budget.tryReserve(more)) {
            drop();
            return;
        }
        charged += more;
    }
}
