package dev.understudy.standin.run;

import dev.understudy.standin.model.RouteModel;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.timeout.IdleStateEvent;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** Answers the requests of one connection, one after another. */
final class StandInHandler extends SimpleChannelInboundHandler<HttpObject> {
    private static final int NOT_FOUND = 404;
    private static final int UNAVAILABLE = 503;
    private static final int BAD_REQUEST = 400;

    private static final MadeReply PROBED = new MadeReply(204, "", new byte[0]);

    private final RouteIndex routes;
    private final ReplyMaker replies;
    private final StandInOptions options;
    private final Executor workers;
    private final StandInCounts counts;
    private final StandInCost own;
    private @Nullable HttpRequest request;
    /** However a body comes in pieces, it is the same. */
    private final CRC32 body = new CRC32();

    StandInHandler(
            RouteIndex routes,
            ReplyMaker replies,
            StandInOptions options,
            Executor workers,
            StandInCounts counts,
            StandInCost own) {
        this.routes = routes;
        this.replies = replies;
        this.options = options;
        this.workers = workers;
        this.counts = counts;
        this.own = own;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
        if (message.decoderResult().isFailure()) {
            request = null;
            answer(ctx, failure(BAD_REQUEST, "no request of HTTP/1.1"), false, false);
            return;
        }
        if (message instanceof HttpRequest begun) {
            request = begun;
            body.reset();
        }
        if (message instanceof HttpContent content) {
            body.update(content.content().nioBuffer());
        }
        HttpRequest whole = request;
        if (message instanceof LastHttpContent && whole != null) {
            request = null;
            take(ctx, whole);
        }
    }

    private void take(ChannelHandlerContext ctx, HttpRequest whole) {
        boolean keep = HttpUtil.isKeepAlive(whole);
        boolean head = whole.method().equals(HttpMethod.HEAD);
        if (whole.uri().equals(LoopbackProbe.PATH)) {
            answer(ctx, PROBED, keep, head);
            return;
        }
        RouteModel route = routes.find(whole.method().name(), whole.uri());
        if (route == null) {
            counts.unknownRoute();
            answer(ctx, failure(NOT_FOUND, "the model has no such route"), keep, head);
            return;
        }
        QueuedCall call = new QueuedCall(route, whole.uri(), (int) body.getValue(), keep, head, System.nanoTime());
        // the next request of the connection waits in its socket
        ctx.channel().config().setAutoRead(false);
        SimulatedWork work = SimulatedWork.of(route, ThreadLocalRandom.current().nextDouble(), options);
        if (work.isShort()) {
            work(ctx, call, work);
            return;
        }
        try {
            workers.execute(() -> work(ctx, call, work));
        } catch (RejectedExecutionException full) {
            counts.refused();
            answer(ctx, failure(UNAVAILABLE, "too many requests at once"), keep, head);
        }
    }

    private void work(ChannelHandlerContext ctx, QueuedCall call, SimulatedWork work) {
        long waited = System.nanoTime() - call.arrivedNanos();
        MadeReply reply = replies.make(call.route(), call.target(), call.bodyHash());
        long begun = System.nanoTime();
        long used = work.without(own).spend();
        long other = waited + System.nanoTime() - begun;
        counts.answered(call.route().request().route());
        answer(ctx, reply, call.keep(), call.head())
                .addListener(written -> own.add(used, System.nanoTime() - call.arrivedNanos() - other));
    }

    private static MadeReply failure(int status, String why) {
        byte[] body = ("{\"error\":\"understudy stand-in: " + why + "\"}").getBytes(StandardCharsets.UTF_8);
        return new MadeReply(status, "application/json", body);
    }

    private static ChannelFuture answer(ChannelHandlerContext ctx, MadeReply reply, boolean keep, boolean head) {
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(reply.status()),
                head ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(reply.body()));
        if (!reply.contentType().isEmpty()) {
            response.headers().set(HttpHeaderNames.CONTENT_TYPE, reply.contentType());
        }
        if (reply.status() != HttpResponseStatus.NO_CONTENT.code()
                && reply.status() != HttpResponseStatus.NOT_MODIFIED.code()) {
            response.headers().set(HttpHeaderNames.CONTENT_LENGTH, reply.body().length);
        }
        HttpUtil.setKeepAlive(response, keep);
        return ctx.writeAndFlush(response).addListener(written -> {
            if (!keep || !written.isSuccess()) {
                ctx.close();
            } else {
                ctx.channel().config().setAutoRead(true);
            }
        });
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof IdleStateEvent) {
            ctx.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }
}
