package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.wire.http.HeadEdit;
import dev.understudy.divergence.wire.http.Http2Preface;
import dev.understudy.divergence.wire.http.RequestHead;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.frame.RequestRewriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * Tells the debug JVM requests in the version that they came in. A head of HTTP/1.1 goes on as the very bytes that the
 * client sent but for what is to be changed, and unchanged where that can't be; of HTTP/2, see {@link Http2Telling}.
 * Confined to its lane loop.
 */
final class VersionTelling implements RequestRewriter {
    private final OwnIdentities identities;
    private final MemoryBudget memory;
    private final Http2Preface preface = new Http2Preface();
    private @Nullable Http2Telling http2;
    private boolean begun;

    VersionTelling(OwnIdentities identities, MemoryBudget memory) {
        this.identities = identities;
        this.memory = memory;
    }

    @Override
    public ByteBuf request(Request request, ByteBuf raw, @Nullable String traceparent) {
        begun = true;
        HttpRequest asked = (HttpRequest) request;
        if (asked.stream() != 0) {
            return http2 == null ? raw : http2.request(asked, raw, traceparent);
        }
        RequestHead told = identities.head(asked.head(), traceparent);
        byte[] whole = raw.readableBytes() > asked.rawLength() ? identities.whole(raw, asked, told) : null;
        if (whole != null) {
            raw.release();
            return Unpooled.wrappedBuffer(whole);
        }
        byte[] head = told.equals(asked.head())
                ? null
                : HeadEdit.apply(ByteBufUtil.getBytes(raw, raw.readerIndex(), asked.rawLength()), asked.head(), told);
        if (head == null) {
            return raw;
        }
        return Unpooled.wrappedBuffer(Unpooled.wrappedBuffer(head), raw.skipBytes(asked.rawLength()));
    }

    @Override
    public ByteBuf more(ByteBuf raw) {
        if (http2 != null) {
            return http2.more(raw);
        }
        if (!begun && !preface.decided()) {
            preface.look(raw.nioBuffer());
            http2 = preface.complete() ? new Http2Telling(identities, memory) : null;
        }
        return raw;
    }

    @Override
    public ByteBuf rest() {
        return http2 == null ? Unpooled.EMPTY_BUFFER : http2.rest();
    }

    @Override
    public boolean stuck() {
        return http2 != null && http2.stuck();
    }

    @Override
    public void release() {
        if (http2 != null) {
            http2.release();
        }
    }
}
