package dev.understudy.divergence.wire.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Says of a client's first bytes whether they are the preface of HTTP/2 (RFC 9113, section 3.4). */
public final class Http2Preface {
    private static final byte[] BYTES = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private int seen;
    private boolean other;

    /** Looks at the next bytes. */
    public void look(ByteBuffer next) {
        while (next.hasRemaining() && !decided()) {
            other = next.get() != BYTES[seen++];
        }
    }

    /** Whether there is nothing more to look at. */
    public boolean decided() {
        return other || seen == BYTES.length;
    }

    /** Whether they are. */
    public boolean complete() {
        return !other && seen == BYTES.length;
    }
}
