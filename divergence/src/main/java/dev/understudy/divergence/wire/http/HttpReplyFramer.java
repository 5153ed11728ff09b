package dev.understudy.divergence.wire.http;

import java.nio.ByteBuffer;

/** Cuts the bytes that one side of a connection sends into HTTP/1.x messages. Confined to one thread. */
public final class HttpReplyFramer {
    private final HttpSink<ReplyHead> sink;

    public HttpReplyFramer(HttpSink<ReplyHead> sink) {
        this.sink = sink;
    }

    /** Queues the method of the next request; call it when the request's head has been seen. */
    public void expect(String method) {}

    /** Takes all remaining bytes; the buffer may be reused afterwards. */
    public void feed(ByteBuffer bytes) {
        int length = bytes.remaining();
        bytes.position(bytes.limit());
        sink.unframed("not framed", length);
    }

    /** The sender has ended its direction. */
    public void end() {}
}
