package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.config.ListenerConfig;
import dev.understudy.sidecar.config.TelemetryConfig;
import dev.understudy.sidecar.config.WindowConfig;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/** The forms that HTTP/1.1 takes on the wire, and what of a connection's life debug gets to see. */
final class SidecarStreamTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final TelemetryConfig NO_TRACES = new TelemetryConfig("", "sidecar-test", false, "");

    @Test
    void bytes_withoutTraces_areTheClientsOwn() throws Exception {
        String odd = "GET  /odd?x=%20 HTTP/1.1\r\nhOsT:   x  \r\nX-Empty:\r\nx-b: 2\r\nX-A: 1\r\n\r\n";
        String post = "POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3;e=1\r\nabc\r\n0\r\n\r\n";
        CompletableFuture<String> seenByDebug = new CompletableFuture<>();
        try (PlainServer production = PlainServer.open(socket -> {
                    PlainServer.readUntil(socket, "0\r\n\r\n");
                    PlainServer.write(socket, OK + OK);
                    PlainServer.readAll(socket);
                });
                PlainServer debug = PlainServer.open(socket -> {
                    String first = PlainServer.readUntil(socket, "0\r\n\r\n");
                    PlainServer.write(socket, OK + OK);
                    seenByDebug.complete(first + PlainServer.readAll(socket));
                });
                Stage stage = Stage.open(
                        Stage.listener(
                                production.address(),
                                debug.address(),
                                ListenerConfig.Framing.HTTP,
                                ListenerConfig.Order.CAUSAL),
                        Stage.WINDOW,
                        NO_TRACES);
                Socket client = stage.connect()) {
            PlainServer.write(client, odd + post);
            client.shutdownOutput();
            assertThat(PlainServer.readAll(client)).isEqualTo(OK + OK);
            assertThat(seenByDebug.get()).isEqualTo(odd + post);
        }
    }

    @Test
    void requests_thatArePipelined_areDeliveredSo() throws Exception {
        PlainServer.Script afterBoth = socket -> {
            PlainServer.readUntil(socket, "\r\n\r\n");
            PlainServer.readUntil(socket, "\r\n\r\n");
            PlainServer.write(socket, OK + OK);
            PlainServer.readAll(socket);
        };
        try (PlainServer production = PlainServer.open(afterBoth);
                PlainServer debug = PlainServer.open(afterBoth);
                Stage stage = Stage.open(production.address(), debug.address());
                Socket client = stage.connect()) {
            PlainServer.write(client, "GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n");
            PlainServer.readUntil(client, "ok" + OK);
            stage.awaitVerdicts("SAME", 2);
        }
    }

    @Test
    void replies_withoutALength_endWithTheConnection() throws Exception {
        PlainServer.Script untilClose = socket -> {
            PlainServer.readUntil(socket, "\r\n\r\n");
            PlainServer.write(socket, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil the end");
        };
        try (PlainServer production = PlainServer.open(untilClose);
                PlainServer debug = PlainServer.open(untilClose);
                Stage stage = Stage.open(production.address(), debug.address());
                Socket client = stage.connect()) {
            PlainServer.write(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(PlainServer.readAll(client)).endsWith("until the end");
            stage.awaitVerdicts("SAME", 1);
            assertThat(stage.status().get("losses")).isEmpty();
        }
    }

    @Test
    void replies_toHead_haveNoBody() throws Exception {
        PlainServer.Script headless = socket -> {
            PlainServer.readUntil(socket, "\r\n\r\n");
            PlainServer.write(socket, "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n");
            PlainServer.readUntil(socket, "\r\n\r\n");
            PlainServer.write(socket, OK);
            PlainServer.readAll(socket);
        };
        try (PlainServer production = PlainServer.open(headless);
                PlainServer debug = PlainServer.open(headless);
                Stage stage = Stage.open(production.address(), debug.address());
                Socket client = stage.connect()) {
            PlainServer.write(client, "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
            PlainServer.readUntil(client, "\r\n\r\n");
            PlainServer.write(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            PlainServer.readUntil(client, "ok");
            stage.awaitVerdicts("SAME", 2);
        }
    }

    @Test
    void body_thatWaitsForTheGoAhead_isDeliveredToo() throws Exception {
        PlainServer.Script goAhead = socket -> {
            PlainServer.readUntil(socket, "\r\n\r\n");
            PlainServer.write(socket, "HTTP/1.1 100 Continue\r\n\r\n");
            PlainServer.readUntil(socket, "body");
            PlainServer.write(socket, OK);
            PlainServer.readAll(socket);
        };
        try (PlainServer production = PlainServer.open(goAhead);
                PlainServer debug = PlainServer.open(goAhead);
                Stage stage = Stage.open(production.address(), debug.address());
                Socket client = stage.connect()) {
            PlainServer.write(
                    client, "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
            PlainServer.readUntil(client, "Continue\r\n\r\n");
            PlainServer.write(client, "body");
            PlainServer.readUntil(client, "ok");
            stage.awaitVerdicts("SAME", 1);
        }
    }

    @Test
    void debug_thatIsFaster_isComparedWhenProductionIsThrough() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (HttpService production = HttpService.answering((asked, exchange) -> {
                    release.await();
                    HttpService.reply(exchange, 200, "{}");
                });
                HttpService debug = HttpService.saying("{}");
                Stage stage = Stage.open(production.address(), debug.address());
                Socket client = stage.connect()) {
            PlainServer.write(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            stage.awaitStatus("debug's reply", s -> s.at("/exchanges/debug").asInt() == 1);
            assertThat(Stage.total(stage.status())).isZero();
            release.countDown();
            JsonNode status = stage.awaitStatus("a verdict", s -> Stage.total(s) == 1);
            assertThat(status.at("/verdicts/NOT_COMPARED").asInt())
                    .as(status.toPrettyString())
                    .isZero();
        }
    }

    @Test
    void order_ofConnections_holdsBackNoOtherConnection() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (HttpService production = HttpService.saying("{}");
                HttpService debug = HttpService.answering((asked, exchange) -> {
                    if (asked.target().equals("/first")) {
                        release.await();
                    }
                    HttpService.reply(exchange, 200, "{}");
                });
                Stage stage = Stage.open(
                        Stage.listener(
                                production.address(),
                                debug.address(),
                                ListenerConfig.Framing.HTTP,
                                ListenerConfig.Order.CONNECTION),
                        Stage.WINDOW,
                        NO_TRACES);
                Socket one = stage.connect();
                Socket two = stage.connect()) {
            PlainServer.write(one, "GET /first HTTP/1.1\r\nHost: x\r\n\r\n");
            PlainServer.readUntil(one, "{}");
            PlainServer.write(one, "GET /third HTTP/1.1\r\nHost: x\r\n\r\n");
            PlainServer.readUntil(one, "{}");
            PlainServer.write(two, "GET /second HTTP/1.1\r\nHost: x\r\n\r\n");
            PlainServer.readUntil(two, "{}");
            stage.awaitStatus("the other connection", s -> Stage.total(s) == 1);
            assertThat(debug.asked)
                    .extracting(HttpService.Asked::target)
                    .containsExactlyInAnyOrder("/first", "/second");

            release.countDown();
            stage.awaitStatus("3 verdicts", s -> Stage.total(s) == 3);
        }
    }

    @Test
    void lane_thatIsStuckAfterItsClientLeft_givesItsMemoryBack() throws Exception {
        CompletableFuture<Void> over = new CompletableFuture<>();
        WindowConfig window = new WindowConfig(
                64L << 20, 64L << 20, Duration.ofMillis(300), Duration.ofSeconds(1), Duration.ofSeconds(60));
        try (HttpService production = HttpService.saying("{}");
                PlainServer debug = PlainServer.open(socket -> over.join());
                Stage stage = Stage.open(production.address(), debug.address(), window)) {
            try (Socket client = stage.connect()) {
                PlainServer.write(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 12000000\r\n\r\n");
                client.getOutputStream().write(new byte[12_000_000]);
                PlainServer.readUntil(client, "{}");
                stage.awaitNotCompared("TIMED_OUT", 1);
                assertThat(stage.control("/v1/status")
                                .at("/window/occupancyBytes")
                                .asLong())
                        .isPositive();
            }
            JsonNode status =
                    stage.awaitStatus("its end", s -> s.at("/lanes/open").asInt() == 0);
            assertThat(status.at("/losses/DEBUG_STALLED/events").asInt()).isEqualTo(1);
            assertThat(status.at("/losses/DEBUG_STALLED/bytes").asLong()).isPositive();
            await().until(() ->
                    stage.control("/v1/status").at("/window/occupancyBytes").asLong() == 0);
            over.complete(null);
        }
    }
}
