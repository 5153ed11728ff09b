package dev.understudy.aggregator.http.h2;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.http.HttpAnswer;
import dev.understudy.aggregator.http.HttpReplayHandler;
import dev.understudy.aggregator.http.form.FormRule;
import dev.understudy.aggregator.http.stub.StubRequest;
import dev.understudy.aggregator.http.stub.Stubs;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.divergence.wire.http.Http2Preface;
import dev.understudy.divergence.wire.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Looks at what a debug connection begins with, makes it a server of HTTP/2 or of HTTP/1.1, and leaves the pipeline.
 *
 * <p>A connection of HTTP/1.1 becomes one of HTTP/2 where its client asks for that and production's server was seen to
 * agree.
 */
final class VersionReplayHandler extends ChannelInboundHandlerAdapter {
    private static final byte[] SWITCHING =
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII);
    private static final String CODEC = "http2";
    private static final int MAX_STREAMS = 1_000;
    private static final int MAX_HEADERS = 64 * 1024;
    private static final int WINDOW = 1 << 20;

    /**
     * Memory that a connection takes besides its streams: tables of headers, flow control, frames that aren't whole.
     */
    private static final long CONNECTION = 64 << 10;

    private final UpstreamReplay<HttpAnswer> replay;
    private final Stubs stubs;
    private final FormRule rule;
    private final Http2Preface preface = new Http2Preface();
    private ByteBuf begun = Unpooled.EMPTY_BUFFER;

    VersionReplayHandler(UpstreamReplay<HttpAnswer> replay, Stubs stubs, FormRule rule) {
        this.replay = replay;
        this.stubs = stubs;
        this.rule = rule;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object data) {
        ByteBuf bytes = (ByteBuf) data;
        preface.look(bytes.nioBuffer());
        begun = begun.isReadable() ? Unpooled.wrappedBuffer(begun, bytes) : bytes;
        if (!preface.decided()) {
            return;
        }
        if (preface.complete() && !replay.memory().hold(CONNECTION)) {
            ctx.close();
            return;
        }
        if (preface.complete()) {
            speakHttp2(ctx, null);
        } else {
            ctx.pipeline()
                    .addAfter(
                            ctx.name(), null, HttpReplayHandler.on(ctx.channel(), replay, stubs, rule, this::upgraded));
        }
        ByteBuf all = begun;
        begun = Unpooled.EMPTY_BUFFER;
        ctx.fireChannelRead(all);
        ctx.pipeline().remove(this);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        begun.release();
        begun = Unpooled.EMPTY_BUFFER;
        ctx.fireChannelInactive();
    }

    /**
     * What follows in the pipeline is HTTP/2; {@code asked} is its first stream, if it was asked for by HTTP/1.1
     * already.
     */
    private Http2FrameCodec speakHttp2(ChannelHandlerContext ctx, StreamReplayHandler.@Nullable Asked asked) {
        Http2FrameCodec codec = Http2FrameCodecBuilder.forServer()
                // a client sets how large the table of our headers may be, up to 4 GiB: nothing goes into it
                .headerSensitivityDetector(Http2HeadersEncoder.ALWAYS_SENSITIVE)
                .initialSettings(Http2Settings.defaultSettings()
                        .maxConcurrentStreams(MAX_STREAMS)
                        .initialWindowSize(WINDOW)
                        .maxHeaderListSize(MAX_HEADERS))
                .build();
        Http2MultiplexHandler streams = new Http2MultiplexHandler(new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel stream) {
                boolean first = ((Http2StreamChannel) stream).stream().id() == 1;
                StreamFrames.addTo(stream.pipeline());
                stream.pipeline()
                        .addLast(new StreamReplayHandler(
                                replay.on(stream.pipeline()), stubs, rule, first ? asked : null));
            }
        });
        ctx.pipeline().addAfter(ctx.name(), CODEC, codec).addAfter(CODEC, null, streams);
        return codec;
    }

    private boolean upgraded(ChannelHandlerContext ctx, StubRequest request, Form form) {
        RequestHead head = request.head();
        boolean asks =
                String.join(",", head.all("upgrade")).toLowerCase(Locale.ROOT).contains("h2c")
                        && head.all("http2-settings").size() == 1;
        if (!asks || replay.known(VersionRecorder.UPGRADES, Boolean.class) == null) {
            return false;
        }
        ctx.writeAndFlush(Unpooled.wrappedBuffer(SWITCHING));
        Http2FrameCodec codec = speakHttp2(ctx, new StreamReplayHandler.Asked(request, form));
        try {
            codec.onHttpServerUpgrade(UpgradeSettings.of(head));
        } catch (Http2Exception e) {
            ctx.fireExceptionCaught(e);
        }
        ctx.pipeline().remove(ctx.handler());
        return true;
    }
}
