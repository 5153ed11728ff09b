package dev.understudy.sidecar.frame.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** What a client of HTTP/2 says, frame by frame, its heads in terms of those before. */
final class SpokenHttp2 {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;
    private static final int END_STREAM = 0x1;
    private static final int END_HEADERS = 0x4;
    private static final int PADDED = 0x8;
    private static final int PRIORITY = 0x20;

    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DefaultHttp2HeadersEncoder encoder =
            new DefaultHttp2HeadersEncoder(Http2HeadersEncoder.NEVER_SENSITIVE, true);

    SpokenHttp2() {
        bytes.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        frame(4, 0, 0, new byte[0]);
    }

    static Http2Headers fields(String method, String path, String... more) {
        Http2Headers fields = new DefaultHttp2Headers(false)
                .method(method)
                .scheme("http")
                .authority("shop:80")
                .path(path);
        for (int i = 0; i < more.length; i += 2) {
            fields.add(more[i], more[i + 1]);
        }
        return fields;
    }

    /** A head or trailers. */
    SpokenHttp2 head(int stream, boolean last, Http2Headers fields) {
        return head(stream, last, fields, 0, false, Integer.MAX_VALUE);
    }

    /** @param longest how much of it goes into one frame */
    SpokenHttp2 head(int stream, boolean last, Http2Headers fields, int padding, boolean priority, int longest) {
        byte[] block = block(stream, fields);
        int first = Math.min(longest, block.length);
        ByteBuf payload = Unpooled.buffer();
        if (padding > 0) {
            payload.writeByte(padding);
        }
        if (priority) {
            payload.writeInt(0).writeByte(7);
        }
        payload.writeBytes(block, 0, first).writeZero(padding);
        int flags = (last ? END_STREAM : 0) | (padding > 0 ? PADDED : 0) | (priority ? PRIORITY : 0);
        frame(HEADERS, flags | (first == block.length ? END_HEADERS : 0), stream, ByteBufUtil.getBytes(payload));
        for (int at = first; at < block.length; at += longest) {
            int length = Math.min(longest, block.length - at);
            byte[] piece = java.util.Arrays.copyOfRange(block, at, at + length);
            frame(CONTINUATION, at + length == block.length ? END_HEADERS : 0, stream, piece);
        }
        return this;
    }

    private byte[] block(int stream, Http2Headers fields) {
        try {
            ByteBuf block = Unpooled.buffer();
            encoder.encodeHeaders(stream, fields, block);
            return ByteBufUtil.getBytes(block);
        } catch (Http2Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    SpokenHttp2 data(int stream, boolean last, String body, int padding) {
        ByteBuf payload = Unpooled.buffer();
        if (padding > 0) {
            payload.writeByte(padding);
        }
        payload.writeBytes(body.getBytes(StandardCharsets.UTF_8)).writeZero(padding);
        int flags = (last ? END_STREAM : 0) | (padding > 0 ? PADDED : 0);
        return frame(DATA, flags, stream, ByteBufUtil.getBytes(payload));
    }

    SpokenHttp2 frame(int type, int flags, int stream, byte[] payload) {
        ByteBuf frame = Unpooled.buffer();
        frame.writeMedium(payload.length)
                .writeByte(type)
                .writeByte(flags)
                .writeInt(stream)
                .writeBytes(payload);
        bytes.writeBytes(ByteBufUtil.getBytes(frame));
        return this;
    }
}
