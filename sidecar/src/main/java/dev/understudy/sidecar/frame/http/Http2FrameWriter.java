package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import java.util.Locale;
import java.util.Map;

/**
 * Writes frames of HTTP/2 that no client sent. Its header blocks refer to no table but the static one, and the first
 * one empties the receiver's, so that each of them stands for itself (RFC 7541, section 4.2). Confined to one thread.
 */
final class Http2FrameWriter {
    /** What every receiver takes (RFC 9113, section 6.5.2). */
    private static final int LONGEST = 16_384;

    private static final int HEAD = 9;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int CONTINUATION = 9;
    private static final int END_STREAM = 0x1;
    private static final int END_HEADERS = 0x4;
    private static final int PADDED = 0x8;
    private static final int PRIORITY = 0x20;

    private final DefaultHttp2HeadersEncoder encoder =
            new DefaultHttp2HeadersEncoder(Http2HeadersEncoder.NEVER_SENSITIVE, true);

    Http2FrameWriter() {
        try {
            encoder.maxHeaderTableSize(0);
        } catch (Http2Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * A head that says the same as {@code original} but for what {@code told} says otherwise.
     *
     * @param raw the frames that it came in, whose priority is kept and whose padding isn't
     */
    ByteBuf head(int stream, boolean last, ByteBuf raw, Http2Headers original, RequestHead told) {
        Http2Headers fields = new DefaultHttp2Headers(false);
        boolean authority = false;
        for (Map.Entry<CharSequence, CharSequence> field : original) {
            String name = field.getKey().toString();
            if (name.startsWith(":")) {
                authority |= name.equals(":authority");
                fields.add(name, name.equals(":path") ? told.target() : field.getValue());
            }
        }
        for (Header header : told.headers()) {
            if (authority && header.is("host")) {
                authority = false; // the one that stands for it
            } else {
                fields.add(header.name().toLowerCase(Locale.ROOT), header.value());
            }
        }
        return fields(stream, last, raw, fields);
    }

    /** The same fields as came in {@code raw}. */
    ByteBuf fields(int stream, boolean last, ByteBuf raw, Http2Headers fields) {
        int flags = raw.getUnsignedByte(raw.readerIndex() + 4);
        int priorityAt = raw.readerIndex() + HEAD + ((flags & PADDED) == 0 ? 0 : 1);
        ByteBuf block = Unpooled.buffer();
        if ((flags & PRIORITY) != 0) {
            block.writeBytes(raw, priorityAt, 5);
        }
        try {
            encoder.encodeHeaders(stream, fields, block);
        } catch (Http2Exception impossible) {
            throw new IllegalStateException(impossible);
        }
        ByteBuf frames = Unpooled.buffer(block.readableBytes() + HEAD);
        int kept = (last ? END_STREAM : 0) | (flags & PRIORITY);
        for (int type = HEADERS; type == HEADERS || block.isReadable(); type = CONTINUATION) {
            int length = Math.min(LONGEST, block.readableBytes());
            int ends = length == block.readableBytes() ? END_HEADERS : 0;
            begin(frames, length, type, type == HEADERS ? kept | ends : ends, stream);
            frames.writeBytes(block, length);
        }
        return frames;
    }

    /** A body, or the rest of one. */
    static ByteBuf data(int stream, boolean last, byte[] body) {
        ByteBuf frames = Unpooled.buffer(body.length + HEAD);
        int at = 0;
        do {
            int length = Math.min(LONGEST, body.length - at);
            boolean ends = last && at + length == body.length;
            begin(frames, length, DATA, ends ? END_STREAM : 0, stream);
            frames.writeBytes(body, at, length);
            at += length;
        } while (at < body.length);
        return frames;
    }

    private static void begin(ByteBuf frames, int length, int type, int flags, int stream) {
        frames.writeMedium(length).writeByte(type).writeByte(flags).writeInt(stream);
    }
}
