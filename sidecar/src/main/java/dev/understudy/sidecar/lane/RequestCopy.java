package dev.understudy.sidecar.lane;

import dev.understudy.sidecar.frame.ReplyMemory;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One request's bytes as its client sent them, so that it can be sent to the debug JVM once more. Nothing is kept of a
 * longer one, or when memory is short. Confined to its lane loop.
 */
final class RequestCopy {
    /** Of a longer request nothing is kept. */
    static final int MOST = 16 << 10;

    private final ReplyMemory memory;
    private byte @Nullable [] held;

    /** @param wanted whether anything is kept */
    RequestCopy(ReplyMemory memory, boolean wanted) {
        this.memory = memory;
        this.held = wanted ? new byte[0] : null;
    }

    /** More of it came; {@code bytes} stay as they are. */
    void add(ByteBuf bytes) {
        byte[] before = held;
        int more = bytes.readableBytes();
        if (before == null) {
            return;
        }
        if (before.length + more > MOST || !memory.tryReserve(more)) {
            drop();
            return;
        }
        byte[] all = Arrays.copyOf(before, before.length + more);
        bytes.getBytes(bytes.readerIndex(), all, before.length, more);
        held = all;
    }

    /** All of it; null if it isn't kept. Not to be changed. */
    byte @Nullable [] bytes() {
        return held;
    }

    /** Gives the memory back, and keeps nothing from now on. */
    void drop() {
        memory.release(held == null ? 0 : held.length);
        held = null;
    }
}
