package dev.understudy.aggregator.http.grpc;

import dev.understudy.aggregator.body.BodyWriter;
import java.nio.ByteBuffer;

/**
 * Writes the steps of a conversation into a file in the order in which they happened: each a kind, and then a hash, or
 * a length of four bytes and that many bytes of the reply. Confined to one thread.
 */
final class StepWriter {
    static final byte SAID = 1;
    static final byte ENDED = 2;
    static final byte TOLD = 3;

    private final BodyWriter file;

    StepWriter(BodyWriter file) {
        this.file = file;
    }

    void said(byte[] hash) {
        file.add(new byte[] {SAID});
        file.add(hash);
    }

    void ended() {
        file.add(new byte[] {ENDED});
    }

    /** Takes the remaining bytes. */
    void told(ByteBuffer bytes) {
        if (bytes.hasRemaining()) {
            file.add(ByteBuffer.allocate(1 + Integer.BYTES)
                    .put(TOLD)
                    .putInt(bytes.remaining())
                    .flip());
            file.add(bytes);
        }
    }
}
