package dev.understudy.mcp.carrier;

import dev.understudy.relay.control.access.AccessTokens;
import dev.understudy.relay.control.access.Browsers;
import dev.understudy.relay.control.access.Caller;
import dev.understudy.relay.control.access.Role;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One connection: one message at a time, each within its time. Confined to its event loop. */
final class HttpCarrierHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final String VERSION_HEADER = "mcp-protocol-version";

    private final AccessTokens tokens;
    private final Duration patience;
    private final MessageDispatcher dispatcher;
    private final Executor threads;

    private @Nullable Future<?> deadline;
    private boolean answering;

    HttpCarrierHandler(AccessTokens tokens, Duration patience, MessageDispatcher dispatcher, Executor threads) {
        this.tokens = tokens;
        this.patience = patience;
        this.dispatcher = dispatcher;
        this.threads = threads;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        expectMessage(ctx);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
        if (answering) {
            // a client that doesn't wait for its answer
            ctx.close();
            return;
        }
        if (!request.decoderResult().isSuccess()) {
            refuse(ctx, HttpResponseStatus.BAD_REQUEST, "not a request of HTTP/1.1", false);
            return;
        }
        boolean keepAlive = HttpUtil.isKeepAlive(request);
        Refusal refusal = refusal(request);
        if (refusal != null) {
            refuse(ctx, refusal.status, refusal.detail, keepAlive);
            return;
        }
        cancelDeadline();
        answering = true;
        byte[] message = ByteBufUtil.getBytes(request.content());
        try {
            threads.execute(() -> {
                byte[] answer = dispatcher.answer(message);
                ctx.executor().execute(() -> answer(ctx, answer, keepAlive));
            });
        } catch (RejectedExecutionException full) {
            answering = false;
            reply(ctx, HttpResponseStatus.SERVICE_UNAVAILABLE, dispatcher.busy(), keepAlive);
        }
    }

    private record Refusal(HttpResponseStatus status, String detail) {}

    private @Nullable Refusal refusal(FullHttpRequest request) {
        HttpHeaders headers = request.headers();
        if (!Browsers.isOwnPage(
                headers.get(HttpHeaderNames.HOST),
                headers.get(HttpHeaderNames.ORIGIN),
                headers.get("sec-fetch-site"))) {
            return new Refusal(HttpResponseStatus.FORBIDDEN, "a page of another origin may not call this");
        }
        Caller caller = tokens.find(headers.get(HttpHeaderNames.AUTHORIZATION, ""));
        if (caller == null || caller.role() == Role.AGENT) {
            return new Refusal(HttpResponseStatus.UNAUTHORIZED, "send its token as Authorization: Bearer …");
        }
        if (!request.uri().split("\\?", 2)[0].equals(HttpCarrier.PATH)) {
            return new Refusal(HttpResponseStatus.NOT_FOUND, "known: POST " + HttpCarrier.PATH);
        }
        if (!request.method().equals(HttpMethod.POST)) {
            return new Refusal(
                    HttpResponseStatus.METHOD_NOT_ALLOWED,
                    "expected: POST with one message; this server streams nothing and keeps no session");
        }
        String type = headers.get(HttpHeaderNames.CONTENT_TYPE, "").split(";", 2)[0];
        if (!type.strip().toLowerCase(Locale.ROOT).equals("application/json")) {
            return new Refusal(HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE, "Content-Type: (expected: application/json)");
        }
        String version = headers.get(VERSION_HEADER);
        if (version != null && !dispatcher.protocolVersions().contains(version)) {
            return new Refusal(
                    HttpResponseStatus.BAD_REQUEST,
                    "MCP-Protocol-Version: (expected: one of " + String.join(", ", dispatcher.protocolVersions())
                            + ")");
        }
        return null;
    }

    private void answer(ChannelHandlerContext ctx, byte @Nullable [] answer, boolean keepAlive) {
        answering = false;
        reply(
                ctx,
                answer == null ? HttpResponseStatus.ACCEPTED : HttpResponseStatus.OK,
                answer == null ? new byte[0] : answer,
                keepAlive);
    }

    private void refuse(ChannelHandlerContext ctx, HttpResponseStatus status, String detail, boolean keepAlive) {
        String problem = "{\"error\":\"" + detail.replace("\"", "'") + "\"}";
        reply(ctx, status, problem.getBytes(StandardCharsets.UTF_8), keepAlive);
    }

    private void reply(ChannelHandlerContext ctx, HttpResponseStatus status, byte[] body, boolean keepAlive) {
        DefaultFullHttpResponse response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(body));
        response.headers()
                .set(HttpHeaderNames.CONTENT_LENGTH, body.length)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .set("x-content-type-options", "nosniff");
        if (body.length > 0) {
            response.headers().set(HttpHeaderNames.CONTENT_TYPE, "application/json");
        }
        if (status.equals(HttpResponseStatus.METHOD_NOT_ALLOWED)) {
            response.headers().set(HttpHeaderNames.ALLOW, "POST");
        }
        if (status.equals(HttpResponseStatus.UNAUTHORIZED)) {
            response.headers().set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
        }
        HttpUtil.setKeepAlive(response, keepAlive);
        expectMessage(ctx);
        ctx.writeAndFlush(response)
                .addListener(keepAlive ? ChannelFutureListener.CLOSE_ON_FAILURE : ChannelFutureListener.CLOSE);
    }

    /** From now on its next message, and before that the reading of its last answer, has to take place in time. */
    private void expectMessage(ChannelHandlerContext ctx) {
        cancelDeadline();
        deadline = ctx.executor().schedule(() -> ctx.close(), patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void cancelDeadline() {
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        cancelDeadline();
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }
}
