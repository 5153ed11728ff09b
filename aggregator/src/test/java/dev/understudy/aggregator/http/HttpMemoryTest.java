package dev.understudy.aggregator.http;

import dev.understudy.aggregator.TestJournal;
import dev.understudy.aggregator.http.form.FormRule;
import dev.understudy.aggregator.http.stub.Stubs;
import dev.understudy.aggregator.limit.DebugLimit;
import dev.understudy.relay.lane.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a debug connection over HTTP/1.1 can make the process hold ends at its bound. */
class HttpMemoryTest {
    private static final String REFUSED = "HTTP/1.1 503 Service Unavailable\r\n";

    private final TestJournal<HttpAnswer> test = new TestJournal<>(1 << 20);
    private final MemoryBudget all = new MemoryBudget(64 << 10, null);
    private final EmbeddedChannel debug = new EmbeddedChannel();

    HttpMemoryTest() {
        var replay = test.replay(Duration.ofHours(1), all);
        debug.closeFuture().addListener(over -> replay.memory().close());
        debug.pipeline()
                .addLast(HttpReplayHandler.on(
                        debug, replay, Stubs.NONE, FormRule.DEFAULT, (ctx, request, form) -> false));
    }

    @AfterEach
    void everything_isGivenBack() {
        debug.finishAndReleaseAll();
        assertThat(all.used()).isZero();
    }

    @Test
    void headOfManyHeaders_countsWhatObjectsTake() {
        String said = say("GET / HTTP/1.1\r\n");
        for (int n = 0; n < 100 && debug.isActive(); n++) {
            said += say("a:\r\n".repeat(10));
        }

        assertThat(said).startsWith(REFUSED);
        assertThat(debug.isActive()).isFalse();
        assertThat(test.reached).containsOnly(DebugLimit.CONNECTION_MEMORY);
    }

    @Test
    void requestsBehindOneThatWaits_endAtTheBound() {
        String said = "";
        for (int n = 0; n < 100 && debug.isActive(); n++) {
            said += say("GET /" + "x".repeat(2_000) + " HTTP/1.1\r\n\r\n");
        }

        assertThat(said).startsWith(REFUSED);
        assertThat(debug.isActive()).isFalse();
    }

    @Test
    void bodyOfAnyLength_isNotHeld() {
        say("POST / HTTP/1.1\r\nContent-Length: 10000000\r\n\r\n");
        for (int n = 0; n < 200; n++) {
            say("x".repeat(10_000));
        }

        assertThat(debug.isActive()).isTrue();
        assertThat(all.used()).isLessThan(5_000);
    }

    @Test
    void replyThatIsStillComing_isChargedWhileDebugDoesNotRead() {
        HttpRecorder production = new HttpRecorder(test.recording(), FormRule.DEFAULT, asked -> {
            throw new IllegalStateException("no HTTP/2 was asked for");
        });
        production.request(bytes("GET /events HTTP/1.1\r\n\r\n"), 1);
        production.reply(bytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), 2);
        assertThat(say("GET /events HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 200 OK");
        debug.unsafe().outboundBuffer().setUserDefinedWritability(1, false);

        int events = 0;
        for (; events < 200 && debug.isActive(); events++) {
            production.reply(bytes("3e8\r\n" + "x".repeat(1_000) + "\r\n"), 3);
            debug.runPendingTasks();
        }

        assertThat(events).isBetween(50, 70);
        assertThat(test.reached).containsOnly(DebugLimit.CONNECTION_MEMORY);
        assertThat(production.heldBytes()).isLessThan(70_000);
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private String say(String request) {
        debug.writeInbound(Unpooled.copiedBuffer(request, StandardCharsets.ISO_8859_1));
        debug.runPendingTasks();
        debug.checkException();
        StringBuilder said = new StringBuilder();
        for (ByteBuf out = debug.readOutbound(); out != null; out = debug.readOutbound()) {
            said.append(out.toString(StandardCharsets.ISO_8859_1));
            out.release();
        }
        return said.toString();
    }
}
