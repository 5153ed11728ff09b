package dev.understudy.sidecar.frame.http;

import dev.understudy.relay.http2.Http2Reader;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2Headers;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What one piece of a client's HTTP/2 is about, as {@link Http2RequestStream} has cut it: a whole block of headers, a
 * part of a DATA frame, or another frame. Of anything else nobody knows where it begins. Confined to its lane loop.
 */
final class Http2Cue implements Http2Reader.Sink {
    private static final int STREAM_AT = 5;

    private final Http2Reader reader = new Http2Reader(this);
    private Kind kind = Kind.UNREAD;
    private int told;
    private long fed;
    private long understood;
    private int stream;
    private boolean last;
    private @Nullable Http2Headers headers;
    private ByteBuffer content = ByteBuffer.allocate(0);

    enum Kind {
        HEADERS,
        DATA,
        RESET,
        /** About the connection, or about a stream's windows and place. */
        OTHER,
        UNREAD
    }

    Http2Cue() {
        reader.allow(Http2RequestStream.TABLE);
    }

    /** Reads {@code raw}, which stays as it is; what was found is valid until the next call, and as long as that is. */
    Kind read(ByteBuf raw) {
        told = 0;
        headers = null;
        last = false;
        stream = 0;
        fed += raw.readableBytes();
        reader.feed(raw.nioBuffer());
        if (told != 1 || understood != fed) {
            kind = Kind.UNREAD;
        } else if (kind == Kind.OTHER) {
            stream = raw.getInt(raw.readerIndex() + STREAM_AT) & Integer.MAX_VALUE;
        }
        return kind;
    }

    /** The stream that it is about; 0 if about none, or nobody knows. */
    int stream() {
        return stream;
    }

    /** Whether it ends its stream. */
    boolean last() {
        return last;
    }

    /** Its headers; null if it has none that can be read. */
    @Nullable
    Http2Headers headers() {
        return headers;
    }

    /** Its part of a body. */
    ByteBuffer content() {
        return content;
    }

    /** Nothing more is read. */
    void stop() {
        reader.stop();
    }

    private void found(Kind what, int which, boolean ends) {
        told++;
        understood = reader.consumed();
        kind = what;
        stream = which;
        last = ends;
    }

    @Override
    public void headers(int which, @Nullable Http2Headers fields, boolean ends) {
        headers = fields;
        found(Kind.HEADERS, which, ends);
    }

    @Override
    public void data(int which, ByteBuffer piece, boolean ends) {
        content = piece;
        found(Kind.DATA, which, ends);
    }

    @Override
    public void reset(int which, long code) {
        found(Kind.RESET, which, true);
    }

    @Override
    public void other() {
        found(Kind.OTHER, 0, false);
    }

    @Override
    public void promised() {}

    @Override
    public void malformed(String why) {}
}
