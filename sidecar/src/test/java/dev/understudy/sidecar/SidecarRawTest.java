package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.config.ListenerConfig;
import dev.understudy.sidecar.config.WindowConfig;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/** Connections of {@code protocol: tcp}, compared as bytes. */
class SidecarRawTest {
    @Tag("process")
    @Test
    void memcached_isCompared_turnByTurn() throws Exception {
        try (MemcachedProgram production = MemcachedProgram.open();
                MemcachedProgram debug = MemcachedProgram.open()) {
            production.holds("color", "red");
            debug.holds("color", "rod");
            try (Stage stage = open(production.address(), debug.address(), Stage.WINDOW)) {
                try (Socket client = stage.connect()) {
                    ask(client, "set a 0 0 1\r\n1\r\n", "STORED\r\n");
                    ask(client, "get color\r\n", "END\r\n");
                    ask(client, "get a\r\n", "END\r\n");
                    PlainServer.write(client, "quit\r\n");
                    assertThat(PlainServer.readAll(client)).isEmpty();
                }
                stage.awaitStatus("4 verdicts", status -> Stage.total(status) == 4);
                JsonNode verdicts = stage.status().get("verdicts");
                assertThat(verdicts.get("SAME").asInt()).as(all(stage)).isEqualTo(2);
                JsonNode different = stage.verdicts("DIFFERENT").get(0);
                assertThat(different.get("request").asText()).isEqualTo("tcp get, 11 bytes, turn 2");
                assertThat(different.at("/differences/0/path").asText()).isEqualTo("reply");
                assertThat(different.at("/differences/0/production").asText())
                        .isEqualTo("at offset 18 of 27 bytes, said red\\x0d\\x0aEND\\x0d\\x0a");
                assertThat(different.at("/differences/0/debug").asText()).startsWith("at offset 18, said rod");
                // the server closes without a word
                assertThat(stage.verdicts("NOT_COMPARED").get(0).get("reason").asText())
                        .isEqualTo("NO_PRODUCTION_REPLY");
            }
        }
    }

    @Tag("process")
    @Test
    void memcached_thatHoldsALongerValue_endsTheComparisonThere() throws Exception {
        try (MemcachedProgram production = MemcachedProgram.open();
                MemcachedProgram debug = MemcachedProgram.open()) {
            production.holds("color", "red");
            debug.holds("color", "green");
            try (Stage stage = open(production.address(), debug.address(), Stage.WINDOW)) {
                try (Socket client = stage.connect()) {
                    ask(client, "get a\r\n", "END\r\n");
                    ask(client, "get color\r\n", "END\r\n");
                    ask(client, "get a\r\n", "END\r\n");
                    ask(client, "get b\r\n", "END\r\n");
                }
                stage.awaitStatus("4 verdicts", status -> Stage.total(status) == 4);
                JsonNode status = stage.status();
                assertThat(status.at("/verdicts/SAME").asInt()).as(all(stage)).isEqualTo(1);
                assertThat(status.at("/verdicts/DIFFERENT").asInt())
                        .as(all(stage))
                        .isEqualTo(1);
                assertThat(status.at("/notCompared/MISALIGNED").asInt())
                        .as(all(stage))
                        .isEqualTo(2);
            }
        }
    }

    @Test
    void bytes_areDelivered_whatIsSaidAfterAHalfCloseIsCompared() throws Exception {
        CompletableFuture<String> seenByDebug = new CompletableFuture<>();
        try (PlainServer production =
                        PlainServer.open(socket -> PlainServer.write(socket, "pong:" + PlainServer.readAll(socket)));
                PlainServer debug = PlainServer.open(socket -> {
                    seenByDebug.complete(PlainServer.readAll(socket));
                    PlainServer.write(socket, "pong:" + seenByDebug.join());
                });
                Stage stage = open(production.address(), debug.address(), Stage.WINDOW);
                Socket client = stage.connect()) {
            PlainServer.write(client, "ping");
            client.shutdownOutput();
            assertThat(PlainServer.readAll(client)).isEqualTo("pong:ping");
            assertThat(seenByDebug.get()).isEqualTo("ping");
            stage.awaitVerdicts("SAME", 1);
        }
    }

    @Test
    void debug_thatSaysLessAfterAHalfClose_isDifferent() throws Exception {
        try (PlainServer production =
                        PlainServer.open(socket -> PlainServer.write(socket, "pong:" + PlainServer.readAll(socket)));
                PlainServer debug = PlainServer.open(socket -> {
                    PlainServer.readAll(socket);
                    PlainServer.write(socket, "pong");
                });
                Stage stage = open(production.address(), debug.address(), Stage.WINDOW);
                Socket client = stage.connect()) {
            PlainServer.write(client, "ping");
            client.shutdownOutput();
            assertThat(PlainServer.readAll(client)).isEqualTo("pong:ping");
            stage.awaitVerdicts("DIFFERENT", 1);
            assertThat(stage.verdicts("DIFFERENT").at("/0/differences/0/debug").asText())
                    .isEqualTo("4 bytes");
        }
    }

    @Test
    void debug_thatIsReset_leavesTheTurnUncompared() throws Exception {
        try (PlainServer production = PlainServer.open(PLAYED);
                PlainServer debug = PlainServer.open(socket -> {
                    PlainServer.write(socket, "hello\n");
                    PlainServer.readUntil(socket, "\n");
                    PlainServer.write(socket, "an");
                    PlainServer.reset(socket);
                });
                Stage stage = open(production.address(), debug.address(), Stage.WINDOW)) {
            try (Socket client = stage.connect()) {
                assertThat(PlainServer.readUntil(client, "\n")).isEqualTo("hello\n");
                ask(client, "1\n", "answer\n");
            }
            stage.awaitStatus("2 verdicts", status -> Stage.total(status) == 2);
            assertThat(stage.status().at("/verdicts/SAME").asInt())
                    .as(all(stage))
                    .isEqualTo(1);
            // how far a reset lets what was said before it arrive is the kernel's
            assertThat(stage.verdicts("NOT_COMPARED").get(0).get("reason").asText())
                    .as(all(stage))
                    .isIn("INCOMPLETE", "DEBUG_CLOSED");
        }
    }

    @Test
    void clientThatResets_leavesItsLastTurnUncompared() throws Exception {
        try (PlainServer production = PlainServer.open(PLAYED);
                PlainServer debug = PlainServer.open(PLAYED);
                Stage stage = open(production.address(), debug.address(), Stage.WINDOW)) {
            try (Socket client = stage.connect()) {
                assertThat(PlainServer.readUntil(client, "\n")).isEqualTo("hello\n");
                ask(client, "1\n", "answer\n");
                PlainServer.reset(client);
            }
            stage.awaitStatus("2 verdicts", status -> Stage.total(status) == 2);
            assertThat(stage.status().at("/verdicts/SAME").asInt())
                    .as(all(stage))
                    .isEqualTo(1);
            assertThat(stage.status().at("/notCompared/CLIENT_CLOSED").asInt())
                    .as(all(stage))
                    .isEqualTo(1);
        }
    }

    @Test
    void debug_thatIsSilent_isNotCompared_andOtherConnectionsAre() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        AtomicBoolean first = new AtomicBoolean(true);
        try (PlainServer production = PlainServer.open(PLAYED);
                PlainServer debug = PlainServer.open(socket -> {
                    if (first.compareAndSet(true, false)) {
                        over.await();
                    }
                    PLAYED.play(socket);
                });
                Stage stage = open(production.address(), debug.address(), Stage.WINDOW)) {
            try (Socket silent = stage.connect()) {
                assertThat(PlainServer.readUntil(silent, "\n")).isEqualTo("hello\n");
                ask(silent, "1\n", "answer\n");
                await().until(() -> debug.connections() == 1);
                try (Socket lively = stage.connect()) {
                    assertThat(PlainServer.readUntil(lively, "\n")).isEqualTo("hello\n");
                    silent.shutdownOutput();
                    await().until(() -> {
                        ask(lively, "1\n", "answer\n");
                        return stage.status().at("/notCompared/NO_DEBUG_REPLY").asInt() == 2;
                    });
                }
            }
            assertThat(stage.status().at("/verdicts/SAME").asInt())
                    .as(all(stage))
                    .isPositive();
            assertThat(stage.status().at("/verdicts/DIFFERENT").asInt())
                    .as(all(stage))
                    .isZero();
            over.countDown();
        }
    }

    @Test
    void tlsWithProductionItself_isNotCompared() throws Exception {
        PlainServer.Script hello = socket -> {
            PlainServer.readUntil(socket, "hello");
            PlainServer.write(socket, "\u0016\u0003\u0003" + socket.getLocalPort());
            PlainServer.readAll(socket);
        };
        try (PlainServer production = PlainServer.open(hello);
                PlainServer debug = PlainServer.open(hello);
                Stage stage = open(production.address(), debug.address(), Stage.WINDOW)) {
            try (Socket client = stage.connect()) {
                PlainServer.write(client, "\u0016\u0003\u0001hello");
                assertThat(client.getInputStream().read()).isEqualTo(0x16);
            }
            stage.awaitNotCompared("ENCRYPTED", 1);
        }
    }

    private static final PlainServer.Script PLAYED = socket -> {
        PlainServer.write(socket, "hello\n");
        while (PlainServer.readUntil(socket, "\n").endsWith("\n")) {
            PlainServer.write(socket, "answer\n");
        }
    };

    private static Stage open(InetSocketAddress production, InetSocketAddress debug, WindowConfig window)
            throws Exception {
        return Stage.open(production, debug, window, ListenerConfig.Framing.TCP, "");
    }

    private static void ask(Socket client, String request, String last) throws Exception {
        PlainServer.write(client, request);
        assertThat(PlainServer.readUntil(client, last)).endsWith(last);
    }

    private static String all(Stage stage) {
        return stage.status().toPrettyString() + stage.verdicts("");
    }
}
