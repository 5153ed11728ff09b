package dev.understudy.relay.deliver;

import dev.understudy.relay.lane.LossReason;
import dev.understudy.relay.lane.MemoryBudget;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * What the debug side of one lane still has to be told, in order, charged against the lane's budget until it was
 * written to the debug socket.
 *
 * <p>Each cue is charged with the memory it pins and {@value #CUE_OVERHEAD} bytes; a window that holds anything is
 * charged {@value #WINDOW_OVERHEAD} bytes more for the lane around it. So the budget bounds entries as well as bytes.
 * Once closed by {@link #clear} a window stays closed. Confined to its lane loop.
 */
public final class Window {
    /** Charged per cue, for the objects around its bytes. */
    public static final int CUE_OVERHEAD = 256;

    /** Charged while anything is held, for the lane that waits with it. */
    public static final int WINDOW_OVERHEAD = 4096;

    private final MemoryBudget budget;
    private final Queue<DebugEvent> cues = new ArrayDeque<>();
    private long charged;
    private long unwritten;
    private long deliveredBytes;
    private long lostBytes;
    private @Nullable LossReason closed;
    private LossReason refusal = LossReason.NONE;

    /** An empty window under {@code budget}. */
    public Window(MemoryBudget budget) {
        this.budget = budget;
    }

    /**
     * Adds {@code cue} at the end and takes ownership of its bytes, also when it is refused.
     *
     * @return whether there was room; if not, the cue was dropped, its bytes are counted as lost and {@link #refusal}
     *     says why: the caller must not go on with a hole, but {@link #clear} the window
     */
    public boolean offer(DebugEvent cue) {
        if (closed != null) {
            drop(cue);
            return false;
        }
        DebugEvent kept = cue instanceof DebugEvent.Bytes bytes ? unpinned(bytes) : cue;
        long charge = charge(kept) + (charged == 0 ? WINDOW_OVERHEAD : 0);
        LossReason shortage = budget.reserve(charge);
        if (shortage != LossReason.NONE) {
            refusal = shortage;
            drop(kept);
            return false;
        }
        charged += charge;
        cues.add(kept);
        return true;
    }

    /** Copies a slice that is less than half of the buffer it pins. */
    private static DebugEvent.Bytes unpinned(DebugEvent.Bytes cue) {
        ByteBuf data = cue.data();
        if (data.readableBytes() * 2L >= pinned(data)) {
            return cue;
        }
        ByteBuf copy = data.alloc().buffer(data.readableBytes(), data.readableBytes());
        copy.writeBytes(data, data.readerIndex(), data.readableBytes());
        data.release();
        return new DebugEvent.Bytes(copy, cue.nanos(), cue.exchange());
    }

    private static int pinned(ByteBuf data) {
        ByteBuf root = data;
        for (ByteBuf next = root.unwrap(); next != null; next = root.unwrap()) {
            root = next;
        }
        return root.capacity();
    }

    static long charge(DebugEvent cue) {
        return CUE_OVERHEAD + (cue instanceof DebugEvent.Bytes bytes ? pinned(bytes.data()) : 0L);
    }

    private void drop(DebugEvent cue) {
        if (cue instanceof DebugEvent.Bytes bytes) {
            lostBytes += bytes.data().readableBytes();
            bytes.data().release();
        }
    }

    /** The oldest cue, which stays here, or null if there is none. */
    public @Nullable DebugEvent peek() {
        return cues.peek();
    }

    /** Takes the oldest cue out, with the ownership of its bytes, and gives its charge back; null if there is none. */
    public @Nullable DebugEvent poll() {
        DebugEvent cue = cues.peek();
        if (cue != null) {
            long charge = charge(cue);
            cues.remove();
            settle(charge);
        }
        return cue;
    }

    /** Takes the oldest cue out as {@link #poll} does, but its charge stays until {@link #written}. */
    @Nullable
    DebugEvent take() {
        DebugEvent cue = cues.poll();
        if (cue != null) {
            unwritten++;
        }
        return cue;
    }

    /** A cue that was taken, with {@code length} bytes, is written or lost: its charge is given back. */
    void written(long charge, long length, boolean delivered) {
        unwritten--;
        if (delivered) {
            deliveredBytes += length;
        } else {
            lostBytes += length;
        }
        settle(charge);
    }

    private void settle(long charge) {
        charged -= charge;
        budget.release(charge);
        if (cues.isEmpty() && unwritten == 0) {
            budget.release(charged);
            charged = 0;
        }
    }

    /** Bytes charged for what is held, overheads included. */
    public long bytes() {
        return charged;
    }

    /** {@link DebugEvent#nanos} of the oldest cue, or {@code now} if there is none: their difference is the lag. */
    public long oldestNanos(long now) {
        DebugEvent oldest = cues.peek();
        return oldest == null ? now : oldest.nanos();
    }

    /** Cues held, without those being written. */
    public int size() {
        return cues.size();
    }

    /**
     * Closes this window: drops what it holds and refuses everything from now on.
     *
     * @param reason kept if it is the first, see {@link #closed}
     * @return how many bytes of the client were dropped by this call
     */
    public long clear(LossReason reason) {
        if (closed == null) {
            closed = reason;
        }
        long before = lostBytes;
        for (DebugEvent cue = cues.peek(); cue != null; cue = cues.peek()) {
            long charge = charge(cue);
            cues.remove();
            drop(cue);
            settle(charge);
        }
        return lostBytes - before;
    }

    /** Why it was closed, or null while it is open. */
    public @Nullable LossReason closed() {
        return closed;
    }

    /** Why the last refused cue was refused while the window was open; {@link LossReason#NONE} if none was. */
    public LossReason refusal() {
        return refusal;
    }

    /** Bytes of the client that were offered and not delivered, exactly. */
    public long lostBytes() {
        return lostBytes;
    }

    /** Bytes of the client that were handed to the kernel for the debug JVM. */
    public long deliveredBytes() {
        return deliveredBytes;
    }
}
