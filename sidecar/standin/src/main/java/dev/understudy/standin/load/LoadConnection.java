package dev.understudy.standin.load;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One connection, with one request at a time. Bodies of replies are counted and let go. Confined to the event loop. */
final class LoadConnection extends SimpleChannelInboundHandler<HttpObject> {
    private static final int SWITCHING = 101;
    private static final int FIRST_FINAL = 200;
    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

    private final LoadConnections connections;
    private final LoadMeter meter;
    private final LoadOptions options;
    private final int length;
    private @Nullable ChannelHandlerContext context;
    private @Nullable ChannelFuture written;
    private @Nullable DueRequest current;
    private int asked;
    private long sentNanos;
    private int status;
    private long bytes;
    private boolean keepAlive;

    private LoadConnection(LoadConnections connections, LoadMeter meter, LoadOptions options) {
        this.connections = connections;
        this.meter = meter;
        this.options = options;
        this.length = connections.length();
    }

    static void addTo(ChannelPipeline pipeline, LoadConnections connections, LoadMeter meter, LoadOptions options) {
        pipeline.addLast(new HttpClientCodec(), new LoadConnection(connections, meter, options));
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        context = ctx;
        connections.opened(this);
    }

    /** Sends a request; nothing else may be under way. */
    void send(DueRequest request) {
        if (context == null) {
            return;
        }
        current = request;
        status = 0;
        bytes = 0;
        asked++;
        sentNanos = System.nanoTime();
        meter.sent(request, sentNanos);
        ChannelFuture writing = context.writeAndFlush(message(request.draft()));
        written = writing;
        writing.addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    private FullHttpRequest message(RequestDraft draft) {
        FullHttpRequest message = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1,
                HttpMethod.valueOf(draft.method()),
                draft.target(),
                Unpooled.wrappedBuffer(draft.body()));
        message.headers()
                .set(HttpHeaderNames.HOST, options.target().authority())
                .set(HttpHeaderNames.USER_AGENT, "understudy-load")
                .set(HttpHeaderNames.ACCEPT, "*/*");
        if (!draft.contentType().isEmpty()) {
            message.headers().set(HttpHeaderNames.CONTENT_TYPE, draft.contentType());
        }
        if (draft.body().length > 0 || WITH_BODY.contains(draft.method())) {
            message.headers().set(HttpHeaderNames.CONTENT_LENGTH, draft.body().length);
        }
        if (asked >= length) {
            message.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        return message;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
        if (message.decoderResult().isFailure()) {
            malformed(ctx, message.decoderResult().cause());
            return;
        }
        if (message instanceof HttpResponse reply) {
            status = reply.status().code();
            keepAlive = HttpUtil.isKeepAlive(reply) && status != SWITCHING;
        }
        if (message instanceof HttpContent content) {
            bytes += content.content().readableBytes();
        }
        if (message instanceof LastHttpContent && (status >= FIRST_FINAL || status == SWITCHING)) {
            replied(ctx);
        }
    }

    private void replied(ChannelHandlerContext ctx) {
        DueRequest answered = current;
        if (answered == null) {
            ctx.close();
            return;
        }
        current = null;
        meter.replied(answered, status, sentNanos, bytes);
        if (keepAlive && asked < length && written != null && written.isDone()) {
            connections.use(this);
        } else {
            ctx.close();
        }
    }

    private void malformed(ChannelHandlerContext ctx, Throwable cause) {
        boolean cut = cause instanceof PrematureChannelClosureException;
        fail(cut ? LoadError.CLOSED : LoadError.MALFORMED, String.valueOf(cause.getMessage()));
        ctx.close();
    }

    /** Ends a request that was due longer ago than {@code timeout}, in nanoseconds. */
    void expire(long timeout, long now) {
        if (context != null && current != null && current.age(now) > timeout) {
            fail(LoadError.TIMEOUT, "no reply within " + options.timeout().toMillis() + " ms of when it was due");
            context.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        fail(cause instanceof IOException ? LoadError.CLOSED : LoadError.MALFORMED, String.valueOf(cause.getMessage()));
        ctx.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        fail(LoadError.CLOSED, "the target closed the connection before its reply was complete");
        connections.gone(this);
    }

    private void fail(LoadError why, String text) {
        DueRequest failed = current;
        if (failed != null) {
            current = null;
            meter.failed(failed, why, text);
        }
    }
}
