package dev.understudy.aggregator.http;

import dev.understudy.aggregator.TestJournal;
import dev.understudy.aggregator.http.form.FormRule;
import dev.understudy.aggregator.http.stub.Stubs;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class HttpReplayHandlerTest {
    private final TestJournal<HttpAnswer> test = new TestJournal<>(10_000);
    private EmbeddedChannel channel;

    @BeforeEach
    void connect() {
        channel = new EmbeddedChannel();
        channel.pipeline()
                .addLast(HttpReplayHandler.on(
                        channel, test.replay(), Stubs.NONE, FormRule.DEFAULT, (ctx, request, form) -> false));
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void pipelinedRequests_areAnsweredInOrderOnOneConnection() {
        recorded("GET /b HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nB");
        recorded("GET /a HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nA");

        assertThat(ask("GET /a HTTP/1.1\r\nHost: debug\r\n\r\nGET /b HTTP/1.1\r\n\r\n"))
                .isEqualTo(
                        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nAHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nB");
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void clientThatExpectsAContinue_getsOneInItsTurn() {
        recorded("GET /a HTTP/1.1\r\n\r\n", "HTTP/1.1 204 No Content\r\n\r\n");
        recorded("PUT /b HTTP/1.1\r\nContent-Length: 2\r\n\r\nhi", "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n");

        assertThat(ask("GET /a HTTP/1.1\r\n\r\nPUT /b HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"))
                .isEqualTo("HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n");
        assertThat(ask("hi")).startsWith("HTTP/1.1 201 Created");
    }

    @Test
    void connectionThatProductionsServerClosed_isClosed() {
        recorded("GET /a HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nA");

        assertThat(ask("GET /a HTTP/1.1\r\n\r\nGET /a HTTP/1.1\r\n\r\n")).endsWith("\r\n\r\nA");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void clientThatWantsTheConnectionClosed_getsItClosed() {
        recorded("GET /a HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nA");

        assertThat(ask("GET /a HTTP/1.1\r\nConnection: close\r\n\r\n")).endsWith("\r\n\r\nA");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void missedHead_hasNoBody() {
        assertThat(ask("HEAD /a HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 502 ").endsWith("\r\n\r\n");
        assertThat(ask("GET /a HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 502 ").endsWith("}");
        assertThat(test.replayed.missed()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0016\u0003\u0001\u0002", "nonsense\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"})
    void garbage_getsA400AndTheEndAndIsAMiss(String garbage) {
        assertThat(ask(garbage)).startsWith("HTTP/1.1 400 Bad Request").contains("application/problem+json");
        assertThat(test.replayed.missed()).isEqualTo(1);
        assertThat(channel.isOpen()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {71, 72, 73})
    void mutatedRequests_throwNothing(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 1_000; round++) {
            close();
            connect();
            byte[] bytes = "POST /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET /b HTTP/1.1\r\n\r\n"
                    .getBytes(StandardCharsets.ISO_8859_1);
            for (int i = random.nextInt(4); i > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            for (int at = 0; at < bytes.length && channel.isOpen(); ) {
                int length = Math.min(1 + random.nextInt(30), bytes.length - at);
                channel.writeInbound(Unpooled.copiedBuffer(bytes, at, length));
                at += length;
            }
            channel.checkException();
        }
        assertThat(test.replayed.requests()).as("seed %d", seed).isPositive();
    }

    private void recorded(String request, String reply) {
        HttpRecorder recorder = HttpRecorderTest.recorder(test);
        recorder.request(ByteBuffer.wrap(request.getBytes(StandardCharsets.ISO_8859_1)), 1);
        recorder.reply(ByteBuffer.wrap(reply.getBytes(StandardCharsets.ISO_8859_1)), 2);
    }

    private String ask(String request) {
        channel.writeInbound(Unpooled.copiedBuffer(request, StandardCharsets.ISO_8859_1));
        channel.checkException();
        StringBuilder answer = new StringBuilder();
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            answer.append(out.toString(StandardCharsets.ISO_8859_1));
            out.release();
        }
        return answer.toString();
    }
}
