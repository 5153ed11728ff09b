package dev.understudy.aggregator.http.h2;

import dev.understudy.aggregator.TestJournal;
import dev.understudy.aggregator.http.HttpAnswer;
import dev.understudy.aggregator.http.form.FormRule;
import dev.understudy.aggregator.http.stub.Stubs;
import dev.understudy.relay.http2.Talk;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.Http2Exception;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class VersionReplayHandlerTest {
    private final TestJournal<HttpAnswer> test = new TestJournal<>(100_000);
    private final List<Throwable> errors = new ArrayList<>();
    private EmbeddedChannel channel = connected();

    private EmbeddedChannel connected() {
        EmbeddedChannel connected = new EmbeddedChannel();
        HttpVersions.replayer(Stubs.NONE, FormRule.DEFAULT).replay(connected.pipeline(), test.replay());
        connected.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                errors.add(cause);
                ctx.close();
            }
        });
        return connected;
    }

    @Test
    void preface_isToldFromARequestByteByByte() {
        byte[] request = "PRIZE / HTTP/1.1\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        for (byte one : request) {
            channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {one}));
        }
        assertThat(said()).startsWith("HTTP/1.1 502 ");

        channel = connected();
        Talk talk = Talk.make();
        for (int at = 0; at < 40; at++) {
            channel.writeInbound(Unpooled.wrappedBuffer(new byte[] {talk.requests[at]}));
        }
        assertThat(said()).doesNotContain("HTTP/1.1");
        channel.finishAndReleaseAll();
        assertThat(errors).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {221, 222, 223})
    void mutatedRequests_throwNothingButWhatTheCodecKnows(long seed) {
        Random random = new Random(seed);
        byte[] requests = Talk.make().requests;
        for (int round = 0; round < 100; round++) {
            channel = connected();
            byte[] bytes = requests.clone();
            for (int n = random.nextInt(4); n > 0; n--) {
                int at = 24 + random.nextInt(random.nextBoolean() ? 300 : bytes.length - 24);
                bytes[random.nextBoolean() ? at : bytes.length - 1 - (at - 24)] = (byte) random.nextInt(256);
            }
            for (int at = 0; at < bytes.length && channel.isOpen(); ) {
                int length = Math.min(1 + random.nextInt(5_000), bytes.length - at);
                channel.writeInbound(Unpooled.copiedBuffer(bytes, at, length));
                channel.runPendingTasks();
                at += length;
            }
            channel.finishAndReleaseAll();
        }
        assertThat(errors)
                .as("seed %d", seed)
                .allSatisfy(error -> assertThat(error).isInstanceOf(Http2Exception.class));
        assertThat(test.replayed.missed()).as("seed %d", seed).isPositive();
    }

    private String said() {
        StringBuilder said = new StringBuilder();
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            said.append(out.toString(StandardCharsets.ISO_8859_1));
            out.release();
        }
        return said.toString();
    }
}
