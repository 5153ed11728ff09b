package dev.understudy.relay.control;

import dev.understudy.relay.control.ControlCounts.Reason;
import dev.understudy.relay.lane.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.util.function.Consumer;

/**
 * Writes replies piece by piece, each once its caller has taken the one before: a socket's copy is one piece long.
 *
 * <p>Replies of more than {@value #FREE} bytes are charged to a budget that all of them share until they are taken; for
 * want of room a caller gets 503. Confined to the control thread.
 */
final class ReplyWriter {
    /** Bytes of a reply that isn't charged. */
    static final int FREE = 16 << 10;

    private static final int PIECE = 64 << 10;

    private final MemoryBudget budget;
    private final ControlCounts counts;

    ReplyWriter(MemoryBudget budget, ControlCounts counts) {
        this.budget = budget;
        this.counts = counts;
    }

    /**
     * Writes one.
     *
     * @param bodyless whether only the head is written, as HEAD asks for
     * @param done is called once, on the control thread: true when all is flushed, false if the connection failed
     */
    void write(ChannelHandlerContext ctx, Reply wanted, boolean bodyless, boolean keepAlive, Consumer<Boolean> done) {
        Reply reply = wanted;
        long charge = wanted.body().length > FREE ? wanted.body().length : 0;
        if (charge > 0 && !budget.tryReserve(charge)) {
            counts.count(Reason.REPLIES, ctx.channel().remoteAddress());
            charge = 0;
            reply = Reply.problem(503, "Too many replies", "others aren't taken yet; come again");
        }
        long charged = charge;
        HttpResponse head = head(reply, keepAlive);
        byte[] body = bodyless ? new byte[0] : reply.body();
        ctx.write(head);
        writePiece(ctx, body, 0, flushed -> {
            budget.release(charged);
            done.accept(flushed);
        });
    }

    private static HttpResponse head(Reply reply, boolean keepAlive) {
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(reply.status()));
        head.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, reply.contentType())
                .set(HttpHeaderNames.CONTENT_LENGTH, reply.body().length)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .set("x-content-type-options", "nosniff");
        reply.headers().forEach((name, value) -> head.headers().set(name, value));
        if (reply.status() == 503) {
            head.headers().set(HttpHeaderNames.RETRY_AFTER, 1);
        }
        HttpUtil.setKeepAlive(head, keepAlive);
        return head;
    }

    private static void writePiece(ChannelHandlerContext ctx, byte[] body, int from, Consumer<Boolean> done) {
        int to = from + Math.min(PIECE, body.length - from);
        boolean last = to == body.length;
        ByteBuf piece = Unpooled.wrappedBuffer(body, from, to - from);
        HttpContent content = last ? new DefaultLastHttpContent(piece) : new DefaultHttpContent(piece);
        ctx.writeAndFlush(content).addListener(written -> {
            if (written.isSuccess() && !last) {
                writePiece(ctx, body, to, done);
            } else {
                done.accept(written.isSuccess());
            }
        });
    }
}
