package dev.understudy.divergence.wire.http;

import java.nio.ByteBuffer;

/** Cuts the bytes that one side of a connection sends into HTTP/1.x messages. Confined to one thread. */
public final class HttpRequestFramer {
    private final HttpSink<RequestHead> sink;

    public HttpRequestFramer(HttpSink<RequestHead> sink) {
        this.sink = sink;
    }

    /** Takes all remaining bytes; the buffer may be reused afterwards. */
    public void feed(ByteBuffer bytes) {
        int length = bytes.remaining();
        bytes.position(bytes.limit());
        sink.unframed("not framed", length);
    }

    /** The connection has left HTTP (the reply was a 101, say): what follows is unframed for that reason. */
    public void leave(String reason) {
        sink.unframed(reason, 0);
    }

    /** The sender has ended its direction. */
    public void end() {}
}
