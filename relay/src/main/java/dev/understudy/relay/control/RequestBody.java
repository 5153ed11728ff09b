package dev.understudy.relay.control;

import dev.understudy.relay.lane.MemoryBudget;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * What has come of one request's body, on the heap. It takes memory as bytes arrive, whatever was announced.
 *
 * <p>The first {@value #FREE} bytes are free, so that an operator's orders find room beside large bodies. All further
 * ones are charged to a budget that all bodies share. Confined to the control thread.
 */
final class RequestBody {
    /** Bytes that aren't charged. */
    static final int FREE = 8 << 10;

    private static final int FIRST = 1 << 10;

    private final MemoryBudget budget;
    private final int largest;
    private byte[] bytes = new byte[0];
    private int length;
    private long charged;

    /** @param largest its most bytes */
    RequestBody(MemoryBudget budget, int largest) {
        this.budget = budget;
        this.largest = largest;
    }

    /** What became of a piece. */
    enum Outcome {
        KEPT,
        /** The body is longer than it may be. */
        TOO_LARGE,
        /** All bodies together leave no room for it. */
        NO_ROOM
    }

    /** Keeps a copy of a piece; reads {@code piece} only if it is kept. */
    Outcome append(ByteBuf piece) {
        int wanted = length + piece.readableBytes();
        if (wanted > largest || wanted < 0) {
            return Outcome.TOO_LARGE;
        }
        if (wanted > bytes.length) {
            int capacity = Math.max(wanted, Math.min(largest, Math.max(FIRST, 2 * bytes.length)));
            long charge = Math.max(0, capacity - FREE) - charged;
            if (charge > 0 && !budget.tryReserve(charge)) {
                return Outcome.NO_ROOM;
            }
            charged += Math.max(0, charge);
            bytes = Arrays.copyOf(bytes, capacity);
        }
        piece.readBytes(bytes, length, wanted - length);
        length = wanted;
        return Outcome.KEPT;
    }

    /** How many bytes have come. */
    int length() {
        return length;
    }

    /** All that has come. */
    byte[] bytes() {
        return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
    }

    /** Gives its room back; may be called more than once. */
    void release() {
        budget.release(charged);
        charged = 0;
        bytes = new byte[0];
        length = 0;
    }
}
