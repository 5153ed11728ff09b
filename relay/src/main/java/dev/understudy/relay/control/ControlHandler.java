package dev.understudy.relay.control;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers the requests of one caller, one after the other, from {@link Routes}. */
final class ControlHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(ControlHandler.class);

    private final Gatekeeper gatekeeper;
    private final Routes routes;

    ControlHandler(Gatekeeper gatekeeper, Routes routes) {
        this.gatekeeper = gatekeeper;
        this.routes = routes;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
        if (!request.decoderResult().isSuccess()) {
            write(ctx, request, Reply.problem(400, "Bad request", "this is not HTTP/1.1"), false);
            return;
        }
        QueryStringDecoder target = new QueryStringDecoder(request.uri());
        Routes.Stream stream = streamFor(request, target.path());
        Reply refusal = gatekeeper.refusal(request, target.path());
        if (refusal == null && stream != null) {
            refusal = stream.refusal();
            if (refusal == null) {
                ctx.pipeline()
                        .replace(this, "events", stream.open(request.headers().get("last-event-id")));
                return;
            }
        }
        write(ctx, request, refusal != null ? refusal : answer(request, target), HttpUtil.isKeepAlive(request));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.debug("control connection {} ended", ctx.channel().remoteAddress(), cause);
        }
        ctx.close();
    }

    private Routes.@Nullable Stream streamFor(FullHttpRequest request, String path) {
        return request.method().equals(HttpMethod.GET) ? routes.streamAt(path) : null;
    }

    private Reply answer(FullHttpRequest request, QueryStringDecoder target) {
        byte[] body = new byte[request.content().readableBytes()];
        request.content().readBytes(body);
        try {
            String type = request.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
            Call call = new Call(target.path(), target.parameters(), type, body);
            return routes.answer(request.method().name(), call);
        } catch (IllegalArgumentException wrong) {
            return Reply.problem(400, "Bad request", String.valueOf(wrong.getMessage()));
        } catch (RuntimeException failed) {
            LOG.warn("control call {} failed", request.uri(), failed);
            return Reply.problem(500, "Internal error", failed.getClass().getSimpleName());
        }
    }

    private static void write(ChannelHandlerContext ctx, FullHttpRequest request, Reply reply, boolean keepAlive) {
        boolean head = request.method().equals(HttpMethod.HEAD);
        var response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(reply.status()),
                head ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(reply.body()));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, reply.contentType())
                .set(HttpHeaderNames.CONTENT_LENGTH, reply.body().length)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .set("x-content-type-options", "nosniff");
        HttpUtil.setKeepAlive(response, keepAlive);
        var written = ctx.writeAndFlush(response);
        if (!keepAlive) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }
}
