package dev.understudy.divergence.compare.body;

import dev.understudy.divergence.content.Sha256;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects bytes in bounded memory: the first ones, and of all of them length and hash. Confined to one thread. */
public final class BodyCapture {
    private static final byte[] UNKNOWN = {};

    private int most;
    private byte[] body = {};
    private int held;
    private long length;
    private @Nullable MessageDigest beyond; // from the first byte that isn't held, over the whole body
    private Supplier<@Nullable StreamedBody> reading = () -> null;
    private @Nullable StreamedBody streamed; // from then on, too
    private boolean located;
    private @Nullable PrefixChecksums rungs; // likewise

    /** @param most how many bytes are kept; of more length and hash decide */
    public BodyCapture(int most) {
        if (most < 0) {
            throw new IllegalArgumentException("maxBody: " + most + " (expected: >= 0)");
        }
        this.most = most;
    }

    /**
     * Of what isn't kept whole it is remembered where it would differ, and what it says.
     *
     * @param reader of that; makes null if nobody can read it
     */
    public void reads(Supplier<@Nullable StreamedBody> reader) {
        reading = reader;
        located = true;
    }

    /** Leaves the buffer's position alone. */
    public void add(ByteBuffer content) {
        int count = content.remaining();
        int keep = Math.min(count, most - held);
        if (keep < count && beyond == null) {
            beyond = Sha256.digest();
            beyond.update(body, 0, held);
            streamed = reading.get();
            if (streamed != null) {
                streamed.feed(body, 0, held);
            }
            rungs = located ? new PrefixChecksums() : null;
            if (rungs != null) {
                rungs.add(ByteBuffer.wrap(body, 0, held));
            }
        }
        if (beyond != null) {
            beyond.update(content.duplicate());
            stream(content);
            if (rungs != null) {
                rungs.add(content);
            }
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
    public void forget() {
        if (beyond == null) {
            beyond = Sha256.digest();
            beyond.update(body, 0, held);
        }
        streamed = null;
        rungs = null;
        located = false;
        reading = () -> null;
        most = 0;
        held = 0;
        body = new byte[0];
    }

    /** Bytes of memory that it occupies. */
    public int heldBytes() {
        return body.length + (streamed == null ? 0 : streamed.heldBytes()) + (rungs == null ? 0 : rungs.heldBytes());
    }

    /** What is known of a body that isn't kept whole, to be asked for once; null if it is, or nothing is known. */
    @Nullable
    public Unheld unheld() {
        return rungs == null ? null : new Unheld(streamed == null ? null : streamed.end(), rungs);
    }

    /** The first bytes. */
    public byte[] bytes() {
        return held == body.length ? body : Arrays.copyOf(body, held);
    }

    /** Whether all of it is held. */
    public boolean isHeld() {
        return held == length();
    }

    /** How many there were. */
    public long length() {
        return length;
    }

    /** The hash of all of them, to be asked for once; empty if all are kept. */
    public byte[] hash() {
        return beyond == null ? UNKNOWN : beyond.digest();
    }
}
