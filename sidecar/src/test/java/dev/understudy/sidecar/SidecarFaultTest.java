package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.Ports;
import dev.understudy.sidecar.config.WindowConfig;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/** Whatever the debug JVM does, production and its clients don't notice, and the sidecar says what happened. */
final class SidecarFaultTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";

    @Test
    void debug_thatIsDead_countsAsUnreachable() throws Exception {
        try (HttpService production = HttpService.saying("{}");
                Stage stage = Stage.open(production.address(), Stage.nobody(), waiting(30_000, 300))) {
            for (int i = 0; i < 5; i++) {
                assertThat(stage.get("/a").statusCode()).isEqualTo(200);
            }
            stage.awaitNotCompared("DEBUG_UNREACHABLE", 5);

            JsonNode status = stage.status();
            assertThat(status.at("/exchanges/production").asInt()).isEqualTo(5);
            assertThat(status.at("/losses/DEBUG_UNREACHABLE/events").asInt()).isPositive();
            assertThat(status.at("/losses/DEBUG_UNREACHABLE/bytes").asLong())
                    .isEqualTo(status.at("/bytes/request").asLong());
            assertThat(status.get("fidelity").asText()).startsWith("faithful up to exchange 0, lost 5 exchanges");
        }
    }

    @Test
    void debug_thatStartsLate_getsEverything() throws Exception {
        InetSocketAddress later = Stage.nobody();
        try (HttpService production = HttpService.saying("{}");
                Stage stage = Stage.open(production.address(), later)) {
            for (int i = 0; i < 5; i++) {
                stage.get("/late/" + i);
            }
            assertThat(stage.status().at("/exchanges/debug").asInt()).isZero();
            try (HttpService debug =
                    new HttpService(later.getPort(), (asked, exchange) -> HttpService.reply(exchange, 200, "{}"))) {
                JsonNode status = stage.awaitStatus("all caught up", s -> Stage.total(s) == 5);

                assertThat(status.at("/verdicts/NOT_COMPARED").asInt())
                        .as(status.toPrettyString())
                        .isZero();
                assertThat(status.get("fidelity").asText()).isEqualTo("faithful: 5 of 5 exchanges");
                assertThat(debug.asked)
                        .extracting(HttpService.Asked::target)
                        .containsExactly("/late/0", "/late/1", "/late/2", "/late/3", "/late/4");
            }
        }
    }

    @Test
    void debug_thatIsKilledAndComesBack_isUsedForNewAndForOpenConnections() throws Exception {
        try (HttpService production = HttpService.saying("{}")) {
            int port = Ports.free();
            HttpService killed = new HttpService(port, (asked, exchange) -> HttpService.reply(exchange, 200, "{}"));
            try (Stage stage = Stage.open(production.address(), killed.address());
                    Socket old = stage.connect()) {
                ask(old);
                stage.awaitStatus("a verdict", s -> Stage.total(s) == 1);
                killed.close();
                stage.awaitStatus("it is gone", s -> s.at("/lanes/connected").asInt() == 0);
                ask(old);
                try (HttpService back =
                        new HttpService(port, (asked, exchange) -> HttpService.reply(exchange, 200, "{}"))) {
                    ask(old);
                    try (Socket fresh = stage.connect()) {
                        ask(fresh);
                        JsonNode status = stage.awaitStatus("4 verdicts", s -> Stage.total(s) == 4);
                        assertThat(status.at("/verdicts/NOT_COMPARED").asInt())
                                .as(status.toPrettyString())
                                .isZero();
                        assertThat(status.get("losses")).isEmpty();
                        assertThat(status.get("rejoinedConnections").asInt()).isEqualTo(1);
                        assertThat(back.asked).hasSize(3);
                    }
                }
            }
        }
    }

    @Test
    void debug_thatNeverAnswers_timesOutAndItsLateReplyIsPassedOver() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (HttpService production = HttpService.saying("{}");
                HttpService debug = HttpService.answering((asked, exchange) -> {
                    if (asked.target().equals("/hangs")) {
                        release.await();
                    }
                    HttpService.reply(exchange, 200, "{}");
                });
                Stage stage = Stage.open(production.address(), debug.address(), waiting(400, 60_000));
                Socket client = stage.connect()) {
            PlainServer.write(client, "GET /hangs HTTP/1.1\r\nHost: x\r\n\r\n");
            PlainServer.readUntil(client, "{}");
            stage.awaitNotCompared("TIMED_OUT", 1);
            release.countDown();
            stage.awaitStatus("the late reply", s -> s.get("lateReplies").asInt() == 1);
            ask(client);

            JsonNode status = stage.awaitStatus("2 verdicts", s -> Stage.total(s) == 2);
            assertThat(status.at("/verdicts/NOT_COMPARED").asInt())
                    .as(status.toPrettyString())
                    .isEqualTo(1);
            assertThat(status.get("fidelity").asText()).isEqualTo("faithful: 2 of 2 exchanges");
        }
    }

    @Test
    void debug_thatStandsStill_catchesUpWithNothingLost() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (HttpService production = HttpService.saying("{}");
                HttpService debug = HttpService.answering((asked, exchange) -> {
                    release.await();
                    HttpService.reply(exchange, 200, "{}");
                });
                Stage stage = Stage.open(production.address(), debug.address())) {
            for (int i = 0; i < 40; i++) {
                assertThat(stage.get("/" + i).statusCode()).isEqualTo(200);
            }
            stage.awaitStatus(
                    "more than 30 pending",
                    s -> stage.control("/v1/status").at("/window/pending").asInt() > 30);
            release.countDown();

            JsonNode status = stage.awaitStatus("40 verdicts", s -> Stage.total(s) == 40);
            assertThat(status.at("/verdicts/NOT_COMPARED").asInt())
                    .as(status.toPrettyString())
                    .isZero();
            assertThat(status.at("/losses")).isEmpty();
        }
    }

    @Test
    void debug_thatNeverReads_losesItsOwnLaneOnly() throws Exception {
        byte[] large = new byte[8 << 20];
        HttpService.Answer ok = (asked, exchange) -> HttpService.reply(exchange, 200, "{}");
        CompletableFuture<Void> over = new CompletableFuture<>();
        WindowConfig small = new WindowConfig(
                256 << 10, 64 << 20, Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(60));
        try (HttpService production = HttpService.answering(ok);
                PlainServer debug = PlainServer.open(socket -> {
                    String begin = PlainServer.readUntil(socket, " ");
                    if (begin.startsWith("POST")) {
                        over.join();
                    }
                    while (!PlainServer.readUntil(socket, "\r\n\r\n").isEmpty()) {
                        PlainServer.write(socket, OK);
                    }
                });
                Stage stage = Stage.open(production.address(), debug.address(), small);
                Socket healthy = stage.connect()) {
            ask(healthy);
            stage.awaitStatus("a verdict", s -> Stage.total(s) == 1);
            assertThat(stage.post("/large", large).statusCode()).isEqualTo(200);
            stage.awaitStatus("the overflow", s -> s.at("/notCompared/OVERFLOW").asInt() == 1);
            ask(healthy);

            JsonNode status = stage.awaitStatus("3 verdicts", s -> Stage.total(s) == 3);
            assertThat(status.at("/verdicts/NOT_COMPARED").asInt())
                    .as(status.toPrettyString())
                    .isEqualTo(1);
            assertThat(status.at("/losses/OVERFLOW_LANE/events").asInt()).isEqualTo(1);
            assertThat(status.at("/losses/OVERFLOW_LANE/bytes").asLong()).isPositive();
            assertThat(status.get("fidelity").asText())
                    .startsWith("faithful up to exchange 1, lost at least 1 exchange, ")
                    .endsWith("bytes: OVERFLOW_LANE");
            over.complete(null);
        }
    }

    @Test
    void debug_thatResetsInMidReply_isSaidToHaveClosed() throws Exception {
        try (HttpService production = HttpService.saying("{}");
                PlainServer debug = PlainServer.open(socket -> {
                    PlainServer.readUntil(socket, "\r\n\r\n");
                    PlainServer.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf");
                    PlainServer.reset(socket);
                });
                Stage stage = Stage.open(production.address(), debug.address())) {
            assertThat(stage.get("/a").statusCode()).isEqualTo(200);
            stage.awaitVerdicts("NOT_COMPARED", 1);
            assertThat(stage.status().get("notCompared").fieldNames().next()).isIn("DEBUG_CLOSED", "INCOMPLETE");
        }
    }

    @Test
    void debug_thatSendsGarbage_countsAsUnframed() throws Exception {
        try (HttpService production = HttpService.saying("{}");
                PlainServer debug = PlainServer.open(socket -> {
                    PlainServer.readUntil(socket, "\r\n\r\n");
                    PlainServer.write(socket, "\0\1\2 this is no reply \r\n\r\n\r\n");
                    PlainServer.readAll(socket);
                });
                Stage stage = Stage.open(production.address(), debug.address());
                Socket client = stage.connect()) {
            ask(client);
            ask(client);
            stage.awaitNotCompared("UNFRAMED", 2);
        }
    }

    @Test
    void garbage_fromAClient_passesAndIsDeliveredAsBytes() throws Exception {
        String garbage = "\u0016\u0003\u0001\0\u00c8 no http at all \r\n\r\n";
        CompletableFuture<String> seenByProduction = new CompletableFuture<>();
        CompletableFuture<String> seenByDebug = new CompletableFuture<>();
        try (PlainServer production = PlainServer.open(socket -> {
                    PlainServer.write(socket, "who are you?");
                    seenByProduction.complete(PlainServer.readAll(socket));
                    PlainServer.write(socket, "bye");
                });
                PlainServer debug = PlainServer.open(socket -> {
                    PlainServer.write(socket, "who?");
                    seenByDebug.complete(PlainServer.readAll(socket));
                });
                Stage stage = Stage.open(production.address(), debug.address())) {
            try (Socket client = stage.connect()) {
                PlainServer.readUntil(client, "?");
                PlainServer.write(client, garbage);
                client.shutdownOutput();
                assertThat(PlainServer.readAll(client)).isEqualTo("bye");
            }
            assertThat(seenByProduction.get()).isEqualTo(garbage);
            assertThat(seenByDebug.get()).isEqualTo(garbage);
            stage.awaitNotCompared("UNFRAMED", 1);
            assertThat(stage.status().get("unframedConnections").asInt()).isEqualTo(1);
        }
    }

    @Test
    void connection_thatIsUpgraded_goesOnAsBytes() throws Exception {
        PlainServer.Script upgrading = socket -> {
            PlainServer.readUntil(socket, "\r\n\r\n");
            PlainServer.write(socket, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n");
            PlainServer.write(socket, "got " + PlainServer.readUntil(socket, "end"));
        };
        CompletableFuture<String> seenByDebug = new CompletableFuture<>();
        try (PlainServer production = PlainServer.open(upgrading);
                PlainServer debug = PlainServer.open(socket -> {
                    PlainServer.readUntil(socket, "\r\n\r\n");
                    PlainServer.write(
                            socket, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n");
                    seenByDebug.complete(PlainServer.readUntil(socket, "end"));
                });
                Stage stage = Stage.open(production.address(), debug.address());
                Socket client = stage.connect()) {
            PlainServer.write(client, "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n");
            PlainServer.readUntil(client, "\r\n\r\n");
            PlainServer.write(client, "\1\2 frames end");
            assertThat(PlainServer.readAll(client)).isEqualTo("got \1\2 frames end");
            assertThat(seenByDebug.get()).isEqualTo("\1\2 frames end");
            JsonNode status = stage.awaitStatus("2 verdicts", s -> Stage.total(s) == 2);
            assertThat(status.at("/notCompared/UNFRAMED").asInt())
                    .as(stage.verdicts("").toPrettyString())
                    .isEqualTo(1);
        }
    }

    @Test
    void client_thatLeavesInMidRequest_isNoLoss() throws Exception {
        CompletableFuture<String> seenByDebug = new CompletableFuture<>();
        try (PlainServer production = PlainServer.open(PlainServer::readAll);
                PlainServer debug = PlainServer.open(socket -> seenByDebug.complete(PlainServer.readAll(socket)));
                Stage stage = Stage.open(production.address(), debug.address())) {
            try (Socket client = stage.connect()) {
                PlainServer.write(client, "POST /half HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nonly this");
            }
            assertThat(seenByDebug.get()).startsWith("POST /half").endsWith("\r\n\r\nonly this");
            stage.awaitVerdicts("NOT_COMPARED", 1);
            assertThat(stage.status().get("losses")).isEmpty();
        }
    }

    @Test
    void production_thatIsDown_leavesNoTraceInDebug() throws Exception {
        try (HttpService debug = HttpService.saying("{}");
                Stage stage = Stage.open(Stage.nobody(), debug.address());
                Socket client = stage.connect()) {
            try {
                PlainServer.write(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
                PlainServer.readAll(client);
            } catch (java.io.IOException reset) {
                // as production itself would have refused
            }
            await().until(() -> stage.status().at("/lanes/open").asInt() == 0);
            assertThat(debug.asked).isEmpty();
        }
    }

    private static void ask(Socket client) throws Exception {
        PlainServer.write(client, "GET /asked HTTP/1.1\r\nHost: x\r\n\r\n");
        assertThat(PlainServer.readUntil(client, "{}")).startsWith("HTTP/1.1 200");
    }

    private static WindowConfig waiting(long replyMillis, long connectMillis) {
        return new WindowConfig(
                16L << 20,
                256L << 20,
                Duration.ofMillis(replyMillis),
                Duration.ofSeconds(10),
                Duration.ofMillis(connectMillis));
    }
}
