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
    private boolean json;
    private @Nullable StreamedJson streamed; // from then on, too

    /** @param most how many bytes are kept; of more length and hash decide */
    BodyCapture(int most) {
        if (most < 0) {
            throw new IllegalArgumentException("maxBody: " + most + " (expected: >= 0)");
        }
        this.most = most;
    }

    /** What comes is a JSON text: of one that isn't kept whole it is read what it says. */
    void isJson() {
        json = true;
    }

    /** Leaves the buffer's position alone. */
    void add(ByteBuffer content) {
        int count = content.remaining();
        int keep = Math.min(count, most - held);
        if (keep < count && beyond == null) {
            beyond = sha256();
            beyond.update(body, 0, held);
            streamed = json ? new StreamedJson() : null;
            if (streamed != null) {
                streamed.feed(body, 0, held);
            }
        }
        if (beyond != null) {
            beyond.update(content.duplicate());
            stream(content);
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

    private void stream(ByteBuffer content) {
        if (streamed != null) {
            byte[] bytes = new byte[content.remaining()];
            content.duplicate().get(bytes);
            streamed.feed(bytes, 0, bytes.length);
        }
    }

    /** Keeps nothing but length and hash, from the first byte on. */
    void forget() {
        if (beyond == null) {
            beyond = sha256();
            beyond.update(body, 0, held);
        }
        streamed = null;
        json = false;
        most = 0;
        held = 0;
        body = new byte[0];
    }

    /** Bytes of memory that it occupies. */
    int heldBytes() {
        return body.length + (streamed == null ? 0 : streamed.heldBytes());
    }

    /** What a JSON text that isn't kept whole says, to be asked for once; null if that isn't known. */
    StreamedJson.@Nullable Said said() {
        return streamed == null ? null : streamed.end();
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
