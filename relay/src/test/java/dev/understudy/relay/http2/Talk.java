package dev.understudy.relay.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Frame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What a client and a server of Netty say to each other: a GET, a POST in padded pieces, a call of gRPC with trailers.
 */
public final class Talk {
    /** The message of the call. */
    public static final String GRPC = "\0\0\0\0\2hi";

    public final byte[] requests;
    public final byte[] replies;

    private Talk(byte[] requests, byte[] replies) {
        this.requests = requests;
        this.replies = replies;
    }

    public static Talk make() {
        EmbeddedChannel client = new EmbeddedChannel(
                Http2FrameCodecBuilder.forClient().build(), new Http2MultiplexHandler(new Ignoring()));
        EmbeddedChannel server = new EmbeddedChannel(
                Http2FrameCodecBuilder.forServer()
                        .initialSettings(Http2Settings.defaultSettings().maxHeaderListSize(1 << 16))
                        .build(),
                new Answering());
        ByteArrayOutputStream requests = new ByteArrayOutputStream();
        ByteArrayOutputStream replies = new ByteArrayOutputStream();
        exchange(client, server, requests, replies);
        ask(client, head("GET", "/get?a=1").add("accept", "text/plain"), List.of());
        ask(client, head("POST", "/post").add("cookie", "a=1").add("cookie", "b=2"), List.of("bo", "dy"));
        ask(client, head("POST", "/test.Echo/once").add("content-type", "application/grpc"), List.of(GRPC));
        exchange(client, server, requests, replies);
        client.finishAndReleaseAll();
        server.finishAndReleaseAll();
        return new Talk(requests.toByteArray(), replies.toByteArray());
    }

    private static Http2Headers head(String method, String path) {
        return new DefaultHttp2Headers()
                .method(method)
                .path(path)
                .scheme("http")
                .authority("test:80")
                .add("x-long", "v".repeat(20_000)); // needs CONTINUATION
    }

    private static void ask(EmbeddedChannel client, Http2Headers head, List<String> pieces) {
        Http2StreamChannel stream = new Http2StreamChannelBootstrap(client)
                .handler(new Ignoring())
                .open()
                .getNow();
        stream.writeAndFlush(new DefaultHttp2HeadersFrame(head, pieces.isEmpty()));
        for (int i = 0; i < pieces.size(); i++) {
            ByteBuf bytes = Unpooled.copiedBuffer(pieces.get(i), StandardCharsets.ISO_8859_1);
            stream.writeAndFlush(new DefaultHttp2DataFrame(bytes, i == pieces.size() - 1, 5 * (i + 1)));
        }
        client.runPendingTasks();
    }

    private static void exchange(
            EmbeddedChannel client,
            EmbeddedChannel server,
            ByteArrayOutputStream requests,
            ByteArrayOutputStream replies) {
        for (int round = 0; round < 4; round++) {
            move(client, server, requests);
            move(server, client, replies);
        }
    }

    private static void move(EmbeddedChannel from, EmbeddedChannel to, ByteArrayOutputStream all) {
        for (ByteBuf out = from.readOutbound(); out != null; out = from.readOutbound()) {
            byte[] bytes = new byte[out.readableBytes()];
            out.readBytes(bytes);
            out.release();
            all.writeBytes(bytes);
            to.writeInbound(Unpooled.wrappedBuffer(bytes));
        }
    }

    @Sharable
    private static final class Ignoring extends SimpleChannelInboundHandler<Http2Frame> {
        @Override
        protected void channelRead0(ChannelHandlerContext ctx, Http2Frame frame) {}
    }

    private static final class Answering extends SimpleChannelInboundHandler<Http2Frame> {
        private String path = "";

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, Http2Frame frame) {
            if (frame instanceof Http2HeadersFrame head) {
                path = head.headers().path().toString();
                if (head.isEndStream()) {
                    answer(ctx, head.stream());
                }
            } else if (frame instanceof Http2DataFrame data && data.isEndStream()) {
                answer(ctx, data.stream());
            }
        }

        private void answer(ChannelHandlerContext ctx, Http2FrameStream stream) {
            Http2Headers ok = new DefaultHttp2Headers().status("200").add("x-path", path);
            ctx.write(new DefaultHttp2HeadersFrame(ok).stream(stream));
            ByteBuf body = Unpooled.copiedBuffer("answer to " + path, StandardCharsets.UTF_8);
            ctx.write(new DefaultHttp2DataFrame(body, false, 3).stream(stream));
            ctx.writeAndFlush(new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().add("grpc-status", "0"), true)
                    .stream(stream));
        }
    }
}
