package dev.understudy.divergence.wire.redis;

import java.nio.ByteBuffer;

/** Cuts the bytes that one side of a Redis connection sends into RESP values. Confined to one thread. */
public final class RespFramer {
    private final RespSink sink;

    /** @param maxBytes the longest value kept, in wire bytes; a longer one leaves the connection unframed */
    public RespFramer(RespSink sink, int maxBytes) {
        if (maxBytes <= 0) {
            throw new IllegalArgumentException("maxBytes: " + maxBytes + " (expected: > 0)");
        }
        this.sink = sink;
    }

    /** Takes all remaining bytes; the buffer may be reused afterwards. */
    public void feed(ByteBuffer bytes) {
        byte[] all = new byte[bytes.remaining()];
        bytes.get(all);
        sink.unframed("not framed", all);
    }

    /** The sender has ended its direction. */
    public void end() {}
}
