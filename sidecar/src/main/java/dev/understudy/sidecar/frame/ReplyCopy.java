package dev.understudy.sidecar.frame;

import dev.understudy.divergence.compare.ReplyCapture;
import dev.understudy.divergence.content.ValueWords;
import dev.understudy.sidecar.verdict.ReplyExcerpt;
import org.jspecify.annotations.Nullable;

/**
 * One side's reply while it waits for the other's, charged to the lane's budget.
 *
 * <p>When memory is short, its content is forgotten but for length and hash, and then all of it. What exactly is kept
 * is the protocol's. Confined to its lane loop.
 */
public abstract class ReplyCopy {
    private final ReplyMemory memory;
    private long charged;
    private boolean refused;
    private boolean shortened;

    private long begunNanos;
    private long endedNanos;
    private boolean begun;
    private boolean complete;

    protected ReplyCopy(ReplyMemory memory) {
        this.memory = memory;
    }

    /** What is kept now; null for nothing. */
    protected abstract @Nullable ReplyCapture kept();

    /** Keeps nothing at all. */
    protected abstract void forget();

    /** Its status in numbers; 0 before it has begun, and where a protocol has none. */
    public int status() {
        return 0;
    }

    /**
     * How it begins, where a protocol has no status, or the status that HTTP carries for gRPC: nothing of what it
     * carries.
     */
    public String said() {
        return "";
    }

    /** Its beginning, for people to see; null where a protocol has none to show, or nothing of it is kept. */
    public @Nullable ReplyExcerpt excerpt() {
        return null;
    }

    /** Adds the values that stand in its content, if all of that is kept and can be read. */
    public void addTo(ValueWords words) {}

    /** Whether its sender says that it closes the connection behind it. */
    public boolean isLast() {
        return false;
    }

    /** Whether the server asked for the request's body (RFC 9110, section 10.1.1), where a protocol knows that. */
    public boolean isGoAhead() {
        return false;
    }

    /** Its first bytes came. */
    protected final void begin(long nanos) {
        begun = true;
        begunNanos = nanos;
    }

    /** Its last bytes came. */
    protected final void complete(long nanos) {
        complete = true;
        endedNanos = nanos;
    }

    /** Whether more may be kept. */
    protected final boolean keeps() {
        return !refused;
    }

    /** More is kept than was: takes the memory for it, or forgets. */
    protected final void charge() {
        if (!reserved(heldBytes())) {
            ReplyCapture kept = kept();
            if (kept != null) {
                kept.forgetContent();
            }
            shortened = true;
            if (!reserved(heldBytes())) {
                drop();
            }
        }
    }

    private long heldBytes() {
        ReplyCapture kept = kept();
        return kept == null ? 0 : kept.heldBytes();
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

    /** Whether it has begun. */
    public final boolean begun() {
        return begun;
    }

    /** Whether it came to its end. */
    public final boolean complete() {
        return complete;
    }

    /** When it began, {@code System.nanoTime()}. */
    public final long begunNanos() {
        return begunNanos;
    }

    /** When it ended, {@code System.nanoTime()}. */
    public final long endedNanos() {
        return endedNanos;
    }

    /** Whether its content was forgotten for want of memory: equal hashes still mean equal, others mean nothing. */
    public final boolean shortened() {
        return shortened;
    }

    /** Gives the memory back, and keeps nothing from now on. */
    public final void drop() {
        refused = true;
        forget();
        memory.release(charged);
        charged = 0;
    }
}
