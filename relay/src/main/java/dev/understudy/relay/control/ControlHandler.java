package dev.understudy.relay.control;

import dev.understudy.relay.control.ControlCounts.Reason;
import dev.understudy.relay.control.access.Caller;
import dev.understudy.relay.tls.TlsWrites;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the requests of one caller, one after the other.
 *
 * <p>A request is refused by its head, before any of its body is taken. The next one is decoded, and read, only when
 * the last reply is flushed; so a caller that doesn't read costs one reply. Confined to the control thread.
 */
final class ControlHandler extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(ControlHandler.class);

    private final Gatekeeper gatekeeper;
    private final Routes routes;
    private final ControlResources resources;
    private final ReadBuffer reads;
    private final HttpRequestDecoder decoder;

    private Phase phase = Phase.HEAD;
    private @Nullable Incoming incoming;
    private @Nullable ScheduledFuture<?> timer;
    private boolean decoded;

    /**
     * @param reads what has come and isn't decoded yet
     * @param decoder the stage before; it decodes one piece of a request whenever it is called
     */
    ControlHandler(
            Gatekeeper gatekeeper,
            Routes routes,
            ControlResources resources,
            ReadBuffer reads,
            HttpRequestDecoder decoder) {
        this.gatekeeper = gatekeeper;
        this.routes = routes;
        this.resources = resources;
        this.reads = reads;
        this.decoder = decoder;
    }

    /** What the connection is at. */
    private enum Phase {
        /** A request's head is awaited. */
        HEAD,
        /** Its body is received. */
        BODY,
        /** Its reply is being made. */
        WORK,
        /** Its reply is on its way. */
        REPLY,
        /** The last reply is out; what still comes is passed over. */
        LINGER,
        /** It follows events, or is closed. */
        OVER;

        boolean receives() {
            return this == HEAD || this == BODY;
        }

        boolean leadsTo(Phase next) {
            return switch (next) {
                case HEAD, LINGER -> this == REPLY;
                case BODY -> this == HEAD;
                case WORK -> this == BODY;
                case REPLY -> this == HEAD || this == BODY || this == WORK;
                case OVER -> true;
            };
        }
    }

    /** A request that is being received. */
    private record Incoming(
            HttpRequest head,
            QueryStringDecoder uri,
            Routes.Target target,
            @Nullable Caller caller,
            RequestBody body) {}

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        expire(ctx, Reason.IDLE, resources.limits().head());
        ctx.read();
        ctx.fireChannelActive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object msg) {
        decoded = true;
        try {
            if (phase == Phase.HEAD && msg instanceof HttpRequest head) {
                begin(ctx, head);
            }
            if (phase == Phase.BODY && incoming != null && msg instanceof HttpContent piece) {
                receive(ctx, incoming, piece);
            }
        } finally {
            ReferenceCountUtil.release(msg);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
        proceed(ctx);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        enter(Phase.OVER);
        cancelTimer();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.debug("control connection {} ended", ctx.channel().remoteAddress(), cause);
        }
        ctx.close();
    }

    /** Decodes what has come already, piece by piece, and reads on only if a request needs more. */
    private void proceed(ChannelHandlerContext ctx) throws Exception {
        while (phase.receives()) {
            decoded = false;
            decoder.channelRead(ctx.pipeline().context(decoder), reads.take());
            if (!decoded) {
                ctx.read();
                return;
            }
        }
    }

    private void begin(ChannelHandlerContext ctx, HttpRequest head) {
        resources.connections().busy(ctx.channel());
        if (!head.decoderResult().isSuccess()) {
            reply(ctx, head, Reply.problem(400, "Bad request", "this is not HTTP/1.1"), false);
            return;
        }
        QueryStringDecoder uri = new QueryStringDecoder(head.uri());
        Routes.Target target = routes.find(head.method().name(), uri.path());
        Gatekeeper.Admission admission = gatekeeper.admit(head, target);
        if (admission.refusal() != null) {
            resources
                    .counts()
                    .count(
                            Reason.DENIED,
                            AuditLog.attempt(admission.caller(), head.method().name(), uri.path()));
            refuse(ctx, head, admission.refusal());
            return;
        }
        if (target == null) {
            refuse(ctx, head, routes.unknown(head.method().name(), uri.path()));
            return;
        }
        boolean mayLast = admission.caller() == null || target.stream() != null || announcesBody(head);
        if (mayLast && !resources.connections().serves(ctx.channel(), admission.caller())) {
            refuse(ctx, head, Reply.problem(503, "Too many calls", "this caller has too many at work; come again"));
            return;
        }
        Reply unreceivable = unreceivable(head, target);
        if (unreceivable != null) {
            refuse(ctx, head, unreceivable);
            return;
        }
        enter(Phase.BODY);
        RequestBody body = new RequestBody(resources.bodies(), target.largest());
        incoming = new Incoming(head, uri, target, admission.caller(), body);
        expireBody(ctx, body, 0, resources.limits().body());
        if (HttpUtil.is100ContinueExpected(head)) {
            ctx.writeAndFlush(new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
        }
    }

    private void refuse(ChannelHandlerContext ctx, HttpRequest head, Reply reply) {
        reply(ctx, head, reply, HttpUtil.isKeepAlive(head) && !announcesBody(head));
    }

    /** Why what a request announces can't be received; null if it can. */
    private static @Nullable Reply unreceivable(HttpRequest head, Routes.Target target) {
        if (HttpUtil.getContentLength(head, 0L) > target.largest()) {
            return tooLarge(target);
        }
        String expectation = head.headers().get(HttpHeaderNames.EXPECT);
        return expectation == null || HttpUtil.is100ContinueExpected(head)
                ? null
                : Reply.problem(417, "Expectation failed", "Expect: (expected: 100-continue)");
    }

    private void receive(ChannelHandlerContext ctx, Incoming request, HttpContent piece) {
        if (!piece.decoderResult().isSuccess()) {
            reply(ctx, request.head, Reply.problem(400, "Bad request", "the body is not HTTP/1.1"), false);
            return;
        }
        switch (request.body.append(piece.content())) {
            case TOO_LARGE -> reply(ctx, request.head, tooLarge(request.target), false);
            case NO_ROOM -> {
                resources.counts().count(Reason.BODIES, ctx.channel().remoteAddress());
                Reply told = Reply.problem(503, "Too many bodies", "others are being received; come again");
                reply(ctx, request.head, told, false);
            }
            case KEPT -> {
                if (piece instanceof LastHttpContent) {
                    serve(ctx, request);
                }
            }
        }
    }

    private void serve(ChannelHandlerContext ctx, Incoming request) {
        boolean keepAlive = HttpUtil.isKeepAlive(request.head);
        Routes.Stream stream = request.target.stream();
        if (stream == null) {
            answer(ctx, request, keepAlive);
            return;
        }
        Reply refusal = stream.refusal();
        if (refusal == null && !resources.connections().stream(ctx.channel())) {
            refusal = Reply.problem(503, "Too many callers", "too many follow events already");
        }
        if (refusal != null) {
            reply(ctx, request.head, refusal, keepAlive);
            return;
        }
        enter(Phase.OVER);
        String lastId = request.head.headers().get("last-event-id");
        ctx.pipeline().replace(this, "events", stream.open(lastId));
        readOn(ctx);
    }

    private static boolean announcesBody(HttpRequest head) {
        return HttpUtil.isTransferEncodingChunked(head) || HttpUtil.getContentLength(head, 0L) > 0;
    }

    private static Reply tooLarge(Routes.Target target) {
        return Reply.problem(413, "Too large", "the body (expected: <= " + target.largest() + " bytes)");
    }

    private static Call call(Incoming request) {
        String type = request.head.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
        String host = request.head.headers().get(HttpHeaderNames.HOST, "");
        QueryStringDecoder uri = request.uri;
        return new Call(uri.path(), uri.parameters(), type, request.body.bytes(), Map.of(), request.caller, host);
    }

    private void answer(ChannelHandlerContext ctx, Incoming request, boolean keepAlive) {
        Call call = call(request);
        CompletableFuture<Reply> working = request.target.reply(call);
        if (working.isDone()) {
            answered(ctx, request, call, working.join(), keepAlive);
            return;
        }
        enter(Phase.WORK);
        expire(ctx, Reason.REPLY, resources.limits().reply());
        working.thenAcceptAsync(reply -> answered(ctx, request, call, reply, keepAlive), ctx.executor())
                .whenComplete((done, failed) -> {
                    if (failed != null) {
                        exceptionCaught(ctx, failed);
                    }
                });
    }

    /** The caller may be gone by now; what was ordered is audited all the same. */
    private void answered(ChannelHandlerContext ctx, Incoming request, Call call, Reply reply, boolean keepAlive) {
        if (request.caller != null && request.target.access().isOrder()) {
            resources.audit().record(request.caller, request.head.method().name(), call, reply.status());
        }
        if (phase != Phase.OVER) {
            reply(ctx, request.head, reply, keepAlive);
        }
    }

    private void reply(ChannelHandlerContext ctx, HttpRequest head, Reply reply, boolean keepAlive) {
        enter(Phase.REPLY);
        expire(ctx, Reason.REPLY, resources.limits().reply());
        boolean bodyless = head.method().equals(HttpMethod.HEAD);
        resources.replies().write(ctx, reply, bodyless, keepAlive, flushed -> {
            if (!flushed) {
                ctx.close();
            } else if (phase == Phase.REPLY) {
                replied(ctx, keepAlive);
            }
        });
    }

    private void replied(ChannelHandlerContext ctx, boolean keepAlive) {
        resources.connections().idle(ctx.channel());
        if (!keepAlive) {
            linger(ctx);
            return;
        }
        enter(Phase.HEAD);
        expire(ctx, Reason.IDLE, resources.limits().idle());
        // later: this may be called while a request is still being decoded
        ctx.executor().execute(() -> {
            try {
                proceed(ctx);
            } catch (Exception failed) {
                exceptionCaught(ctx, failed);
            }
        });
    }

    /** Says that nothing more is said. Closing at once could make the kernel throw the reply away (RFC 9112, 9.6). */
    private void linger(ChannelHandlerContext ctx) {
        enter(Phase.LINGER);
        schedule(ctx, resources.limits().linger(), ctx::close);
        TlsWrites.endOutput((DuplexChannel) ctx.channel());
        readOn(ctx);
    }

    /** What else the caller sends is read and passed over, so that its end is noticed. */
    private void readOn(ChannelHandlerContext ctx) {
        ctx.pipeline().remove(reads);
        ctx.pipeline().remove(decoder);
        ctx.channel().config().setAutoRead(true);
    }

    /** Closes the connection if nothing else happens in this time. */
    private void expire(ChannelHandlerContext ctx, Reason reason, Duration patience) {
        schedule(ctx, patience, () -> timeOut(ctx, reason));
    }

    /** Closes it if its body doesn't come on from one look to the next, or has no end in time. */
    private void expireBody(ChannelHandlerContext ctx, RequestBody body, int before, Duration left) {
        Duration stall = resources.limits().bodyStall();
        Duration look = stall.compareTo(left) < 0 ? stall : left;
        schedule(ctx, look, () -> {
            Duration rest = left.minus(look);
            if (body.length() == before || rest.isZero()) {
                timeOut(ctx, Reason.BODY);
            } else {
                expireBody(ctx, body, body.length(), rest);
            }
        });
    }

    private void timeOut(ChannelHandlerContext ctx, Reason reason) {
        resources.counts().count(reason, ctx.channel().remoteAddress());
        TlsWrites.drop(ctx.channel());
    }

    private void schedule(ChannelHandlerContext ctx, Duration delay, Runnable action) {
        cancelTimer();
        timer = ctx.executor().schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel(false);
        }
    }

    private void enter(Phase next) {
        if (!phase.leadsTo(next)) {
            throw new IllegalStateException(phase + " to " + next);
        }
        phase = next;
        if (next != Phase.BODY && next != Phase.WORK && incoming != null) {
            incoming.body.release();
            incoming = null;
        }
    }
}
