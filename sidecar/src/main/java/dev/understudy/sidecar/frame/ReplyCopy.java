package dev.understudy.sidecar.frame;

import dev.understudy.divergence.compare.HttpReply;
import dev.understudy.divergence.compare.HttpReplyCapture;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One side's reply while it waits for the other's, charged to the lane's budget.
 *
 * <p>When memory is short, its body is forgotten but for length and hash, and then all of it. Confined to its lane loop.
 */
public final class ReplyCopy {
    private final ReplyMemory memory;
    private final int maxBody;
    private @Nullable HttpReplyCapture capture;
    private long charged;
    private boolean refused;
    private boolean shortened;

    private long begunNanos;
    private long endedNanos;
    private int status;
    private boolean begun;
    private boolean complete;

    /** @param maxBody bytes of the body that are kept */
    public ReplyCopy(ReplyMemory memory, int maxBody) {
        this.memory = memory;
        this.maxBody = maxBody;
    }

    void interim(ReplyHead head, int rawLength) {
        HttpReplyCapture current = capture();
        if (current != null) {
            current.interim(head, rawLength);
            charge(current);
        }
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
    public @Nullable HttpReply finish(Instant requested, Instant ended) {
        return capture == null || !capture.begun() ? null : capture.finish(requested, ended);
    }

    /** Whether its head has come. */
    public boolean begun() {
        return begun;
    }

    /** Whether it came to its end. */
    public boolean complete() {
        return complete;
    }

    /** Its HTTP status; 0 before the head. */
    public int status() {
        return status;
    }

    /** When its head came, {@code System.nanoTime()}. */
    public long begunNanos() {
        return begunNanos;
    }

    /** When it ended, {@code System.nanoTime()}. */
    public long endedNanos() {
        return endedNanos;
    }

    /** Whether the body was forgotten for want of memory: equal hashes still mean equal, others mean nothing. */
    public boolean shortened() {
        return shortened;
    }

    /** Gives the memory back, and keeps nothing from now on. */
    public void drop() {
        refused = true;
        capture = null;
        memory.release(charged);
        charged = 0;
    }

    private @Nullable HttpReplyCapture capture() {
        if (capture == null && !refused) {
            capture = new HttpReplyCapture(maxBody);
        }
        return capture;
    }

    private void charge(HttpReplyCapture current) {
        if (!reserved(current.heldBytes())) {
            current.forgetBody();
            shortened = true;
            if (!reserved(current.heldBytes())) {
                drop();
            }
        }
    }

    private boolean reserved(long held) {
        long more = held - charged;
        if (more < 0) {
            memory.release(-more);
        } else if (!memory.tryReserve(more)) {
            return false;
        }
        charged = held;
        return true;
    }
}
