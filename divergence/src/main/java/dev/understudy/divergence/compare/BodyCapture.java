package dev.understudy.divergence.compare;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Collects bytes in bounded memory: the first ones, and of all of them length and hash. Confined to one thread. */
final class BodyCapture {
    private static final byte[] UNKNOWN = {};

    private int most;
    private byte[] body = {};
    private int held;
    private long length;
    private @Nullable MessageDigest beyond; // from the first byte that isn't held, over the whole body

    /** @param most how many bytes are kept; of more length and hash decide */
    BodyCapture(int most) {
        if (most < 0) {
            throw new IllegalArgumentException("maxBody: " + most + " (expected: >= 0)");
        }
        this.most = most;
    }

    /** Leaves the buffer's position alone. */
    void add(ByteBuffer content) {
        int count = content.remaining();
        int keep = Math.min(count, most - held);
        if (keep < count && beyond == null) {
            beyond = sha256();
            beyond.update(body, 0, held);
        }
        if (beyond != null) {
            beyond.update(content.duplicate());
        }
        if (keep > 0) {
            if (held + keep > body.length) {
                body = Arrays.copyOf(body, (int) Math.min(most, Math.max(held + keep, 2L * body.length)));
            }
            content.duplicate().get(body, held, keep);
            held += keep;
        }
        length += count;
    }

    /** Keeps nothing but length and hash, from the first byte on. */
    void forget() {
        if (beyond == null) {
            beyond = sha256();
            beyond.update(body, 0, held);
        }
        most = 0;
        held = 0;
        body = new byte[0];
    }

    /** Bytes of memory that it occupies. */
    int heldBytes() {
        return body.length;
    }

    /** The first bytes. */
    byte[] bytes() {
        return held == body.length ? body : Arrays.copyOf(body, held);
    }

    /** How many there were. */
    long length() {
        return length;
    }

    /** The hash of all of them, to be asked for once; empty if all are kept. */
    byte[] hash() {
        return beyond == null ? UNKNOWN : beyond.digest();
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
