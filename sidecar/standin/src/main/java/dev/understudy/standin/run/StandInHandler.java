package dev.understudy.standin.run;

import dev.understudy.standin.model.RouteModel;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.IdleStateEvent;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;

/** Answers the requests of one connection, one after another. */
final class StandInHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
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
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
        boolean keep = HttpUtil.isKeepAlive(request);
        boolean head = request.method().equals(HttpMethod.HEAD);
        if (request.decoderResult().isFailure()) {
            answer(ctx, failure(BAD_REQUEST, "no request of HTTP/1.1"), false, false);
            return;
        }
        if (request.uri().equals(LoopbackProbe.PATH)) {
            answer(ctx, PROBED, keep, head);
            return;
        }
        RouteModel route = routes.find(request.method().name(), request.uri());
        if (route == null) {
            counts.unknownRoute();
            answer(ctx, failure(NOT_FOUND, "the model has no such route"), keep, head);
            return;
        }
        QueuedCall call = new QueuedCall(
                route, request.uri(), ByteBufUtil.getBytes(request.content()), keep, head, System.nanoTime());
        // the next request of the connection waits in its socket
        ctx.channel().config().setAutoRead(false);
        double share = ThreadLocalRandom.current().nextDouble();
        SimulatedWork work = SimulatedWork.of(route, share, options);
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
        MadeReply reply = replies.make(call.route(), call.target(), call.body());
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
