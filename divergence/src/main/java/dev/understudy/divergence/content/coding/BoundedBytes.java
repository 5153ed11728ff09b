package dev.understudy.divergence.content.coding;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** What a decoder makes, up to a limit. It grows with what is really there. Confined to one thread. */
final class BoundedBytes {
    private static final int PIECE = 8192;

    private final int limit;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean exceeded;

    BoundedBytes(int limit) {
        this.limit = limit;
    }

    /** False if there is no room for them; then nothing is added, now or later. */
    boolean add(byte[] piece, int count) {
        exceeded |= bytes.size() > limit - count;
        if (!exceeded) {
            bytes.write(piece, 0, count);
        }
        return !exceeded;
    }

    /** Adds all that a stream has; false if there is no room for it. */
    boolean addAll(InputStream stream) throws IOException {
        byte[] piece = new byte[PIECE];
        for (int count = stream.read(piece); count >= 0; count = stream.read(piece)) {
            if (!add(piece, count)) {
                return false;
            }
        }
        return true;
    }

    boolean hasExceeded() {
        return exceeded;
    }

    byte[] toByteArray() {
        return bytes.toByteArray();
    }
}
