package dev.understudy.relay.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/**
 * Puts the header blocks of one direction together and decodes them (RFC 9113, section 4.3; RFC 7541). Each has to be
 * decoded, wanted or not, since the next ones build on it. Confined to one thread.
 */
final class HeaderBlocks {
    private static final int END_HEADERS = 0x4;
    private static final int PRIORITY = 0x20;

    private static final int MAX_BLOCK = 256 * 1024;
    private static final long MAX_TABLE = 1 << 20;

    /** Checks names; values are checked in {@link BinaryMetadata}. */
    private final DefaultHttp2HeadersDecoder decoder =
            new DefaultHttp2HeadersDecoder(true, false, Http2Reader.MAX_HEADERS);

    private final ByteArrayOutputStream block = new ByteArrayOutputStream(0);
    private int open;
    private int type;
    private int flags;

    /**
     * Takes a frame, if it is about headers.
     *
     * @return whether it was
     * @throws Http2Exception if no header of this direction can be decoded from here on
     */
    boolean take(int frameType, int frameFlags, int stream, ByteBuffer payload, Http2Reader.Sink sink)
            throws Http2Exception {
        boolean begins = frameType == FrameCutter.HEADERS || frameType == FrameCutter.PUSH_PROMISE;
        boolean continues = frameType == FrameCutter.CONTINUATION && open != 0 && stream == open;
        if (!continues && (open != 0 || frameType == FrameCutter.CONTINUATION)) {
            throw Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR, "headers interrupted");
        }
        if (!begins && open == 0) {
            return false;
        }
        if (begins) {
            open = stream;
            type = frameType;
            flags = frameFlags;
            strip(payload);
        }
        if (block.size() + payload.remaining() > MAX_BLOCK) {
            throw Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, "headers of over %d bytes", MAX_BLOCK);
        }
        byte[] piece = new byte[payload.remaining()];
        payload.get(piece);
        block.writeBytes(piece);
        if ((frameFlags & END_HEADERS) != 0) {
            open = 0;
            complete(stream, sink);
        }
        return true;
    }

    private void strip(ByteBuffer payload) throws Http2Exception {
        int padding = (flags & FrameCutter.PADDED) == 0 ? 0 : need(payload, 1).get() & 0xff;
        if (type == FrameCutter.PUSH_PROMISE) {
            need(payload, 4).getInt();
        } else if ((flags & PRIORITY) != 0) {
            need(payload, 5).getInt();
            payload.get();
        }
        need(payload, padding).limit(payload.limit() - padding);
    }

    private static ByteBuffer need(ByteBuffer payload, int bytes) throws Http2Exception {
        if (payload.remaining() < bytes) {
            throw Http2Exception.connectionError(Http2Error.FRAME_SIZE_ERROR, "a frame is too short");
        }
        return payload;
    }

    private void complete(int stream, Http2Reader.Sink sink) throws Http2Exception {
        ByteBuf bytes = Unpooled.wrappedBuffer(block.toByteArray());
        block.reset();
        Http2Headers headers = null;
        try {
            headers = BinaryMetadata.encoded(decoder.decodeHeaders(stream, bytes));
        } catch (Http2Exception e) {
            if (!Http2Exception.isStreamError(e)) {
                throw e;
            }
        } catch (RuntimeException unexpected) {
            throw Http2Exception.connectionError(Http2Error.COMPRESSION_ERROR, unexpected, "headers of no known form");
        }
        if (type == FrameCutter.PUSH_PROMISE) {
            sink.promised();
        } else {
            sink.headers(stream, headers, (flags & FrameCutter.END_STREAM) != 0);
        }
    }

    /** Whether a block has begun that isn't complete. */
    boolean isOpen() {
        return open != 0;
    }

    /**
     * The other side's SETTINGS say how large a table these headers may use. What makes it smaller is left to the
     * sender, whose next block says so itself.
     */
    void tableMayHave(long bytes) throws Http2Exception {
        long size = Math.min(bytes, MAX_TABLE);
        if (size > decoder.configuration().maxHeaderTableSize()) {
            decoder.configuration().maxHeaderTableSize(size);
        }
    }

    int heldBytes() {
        return block.size();
    }
}
