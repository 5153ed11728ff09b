package dev.understudy.aggregator.http.h2;

import dev.understudy.aggregator.TestJournal;
import dev.understudy.aggregator.http.HttpAnswer;
import dev.understudy.aggregator.http.form.FormRule;
import dev.understudy.aggregator.http.stub.Stubs;
import dev.understudy.aggregator.limit.DebugLimit;
import dev.understudy.relay.lane.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2Frame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a debug connection over HTTP/2 can make the process hold with its streams ends at its bound. */
class StreamMemoryTest {
    private final TestJournal<HttpAnswer> test = new TestJournal<>(1 << 20);
    private final MemoryBudget all = new MemoryBudget(256 << 10, null);
    private final EmbeddedChannel debug = new EmbeddedChannel();
    private final EmbeddedChannel client = new EmbeddedChannel(
            Http2FrameCodecBuilder.forClient().build(), new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()));
    private final List<String> answers = new ArrayList<>();

    StreamMemoryTest() {
        var replay = test.replay(Duration.ofHours(1), all);
        debug.closeFuture().addListener(over -> replay.memory().close());
        HttpVersions.replayer(Stubs.NONE, FormRule.DEFAULT).replay(debug.pipeline(), replay);
    }

    @AfterEach
    void everything_isGivenBack() {
        client.finishAndReleaseAll();
        debug.finishAndReleaseAll();
        assertThat(all.used()).isZero();
    }

    @Test
    void streamsBeyondTheBound_areRefused_andTheConnectionGoesOn() {
        List<Http2StreamChannel> waiting = new ArrayList<>();
        for (int n = 0; n < 100 && answers.isEmpty(); n++) {
            waiting.add(ask("GET", "/" + "x".repeat(2_000) + n, "text/plain", true));
        }

        assertThat(waiting.size()).isBetween(10, 60);
        assertThat(answers).containsExactly("503");
        assertThat(test.reached).containsOnly(DebugLimit.CONNECTION_MEMORY);
        waiting.subList(0, 10).forEach(Http2StreamChannel::close);
        move();
        ask("GET", "/again", "text/plain", true);
        assertThat(answers).containsExactly("503"); // the last one waits for production
        assertThat(debug.isActive()).isTrue();
    }

    @Test
    void messagesOfACallThatNobodyCompares_countTheirHashes() {
        Http2StreamChannel call = ask("POST", "/a.B/c", "application/grpc", false);
        for (int n = 0; n < 50 && answers.isEmpty(); n++) {
            call.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(new byte[5 * 500])));
            move();
        }

        assertThat(answers).containsExactly("503");
    }

    @Test
    void connectionWithoutRoomForTwo_isClosed() {
        assertThat(all.tryReserve(200 << 10)).isTrue();

        move();

        assertThat(debug.isActive()).isFalse();
        all.release(200 << 10);
    }

    private Http2StreamChannel ask(String method, String path, String type, boolean whole) {
        Http2StreamChannel stream = new Http2StreamChannelBootstrap(client)
                .handler(new SimpleChannelInboundHandler<Http2Frame>() {
                    @Override
                    protected void channelRead0(ChannelHandlerContext ctx, Http2Frame frame) {
                        if (frame instanceof Http2HeadersFrame head) {
                            answers.add(head.headers().status().toString());
                        }
                    }
                })
                .open()
                .getNow();
        Http2Headers head = new DefaultHttp2Headers()
                .method(method)
                .path(path)
                .scheme("http")
                .authority("test:80")
                .add("content-type", type);
        stream.writeAndFlush(new DefaultHttp2HeadersFrame(head, whole));
        move();
        return stream;
    }

    private void move() {
        for (int round = 0; round < 4; round++) {
            client.runPendingTasks();
            move(client, debug);
            debug.runPendingTasks();
            move(debug, client);
        }
    }

    private static void move(EmbeddedChannel from, EmbeddedChannel to) {
        for (ByteBuf out = from.readOutbound(); out != null; out = from.readOutbound()) {
            if (to.isActive()) {
                to.writeInbound(out);
            } else {
                out.release();
            }
        }
    }
}
