package dev.understudy.divergence.compare.raw;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What one side has said and the other one hasn't yet, in order and charged to the room for it. Confined to one thread.
 */
final class HeldBytes {
    private static final int OF_A_CHUNK = 64;

    private final Deque<ByteBuffer> chunks = new ArrayDeque<>();
    private final ByteBudget room;
    private final int most;
    private int length;
    private long charged;

    /** @param most how many bytes are held */
    HeldBytes(int most, ByteBudget room) {
        this.most = most;
        this.room = room;
    }

    /** How many there are. */
    int length() {
        return length;
    }

    /**
     * Copies as many bytes from the beginning of {@code data} as there is room for, and moves its position past them.
     */
    void add(ByteBuffer data) {
        int count = Math.min(data.remaining(), most - length);
        if (count > 0 && room.tryReserve(count + OF_A_CHUNK)) {
            byte[] copy = new byte[count];
            data.get(copy);
            chunks.add(ByteBuffer.wrap(copy));
            length += count;
            charged += count + OF_A_CHUNK;
        }
    }

    /** The first of them, as many as lie together; to be read before the next {@link #drop}. */
    ByteBuffer first() {
        ByteBuffer first = chunks.peek();
        return first == null ? ByteBuffer.allocate(0) : first.duplicate();
    }

    /** Takes {@code count} of the {@link #first} away, if they are still there. */
    void drop(int count) {
        ByteBuffer first = chunks.peek();
        if (first == null) {
            return;
        }
        first.position(first.position() + count);
        length -= count;
        if (!first.hasRemaining()) {
            chunks.remove();
            charged -= first.limit() + OF_A_CHUNK;
            room.release(first.limit() + OF_A_CHUNK);
        }
    }

    void clear() {
        chunks.clear();
        room.release(charged);
        charged = 0;
        length = 0;
    }

    /** Cuts the next {@code count} bytes off. */
    static ByteBuffer next(ByteBuffer bytes, int count) {
        ByteBuffer part = bytes.slice(bytes.position(), count);
        bytes.position(bytes.position() + count);
        return part;
    }
}
