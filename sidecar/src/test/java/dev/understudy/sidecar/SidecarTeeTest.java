package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.config.ListenerConfig;
import dev.understudy.sidecar.config.TeeConfig;
import dev.understudy.sidecar.config.TelemetryConfig;
import dev.understudy.sidecar.tee.Sampling;
import dev.understudy.sidecar.tee.TeeMode;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The tee switch, as an operator turns it while clients are connected. */
final class SidecarTeeTest {
    private HttpService production;
    private HttpService debug;
    private Stage stage;

    @BeforeEach
    void open() throws Exception {
        production = HttpService.saying("{\"n\":1}");
        debug = HttpService.saying("{\"n\":1}");
        stage = Stage.open(production.address(), debug.address());
    }

    @AfterEach
    void close() {
        stage.close();
        debug.close();
        production.close();
    }

    @Test
    void off_leavesClientsAlone_andTheDebugJvmToo() throws Exception {
        try (Socket client = stage.connect()) {
            ask(client, "/before");
            awaitAgreed(1);

            assertThat(turn("off").body()).startsWith("{\"listener\":\"orders\",\"mode\":\"off\"");
            ask(client, "/during");
            stage.get("/elsewhere");

            JsonNode status =
                    stage.awaitStatus("no lanes", s -> s.at("/lanes/open").asInt() == 0);
            assertThat(status.get("tee").asText()).isEqualTo("off");
            assertThat(status.at("/connections/open").asInt()).isGreaterThanOrEqualTo(1);
            assertThat(status.get("losses")).as("nothing was on its way").isEmpty();
            assertThat(status.get("fidelity").asText()).isEqualTo("faithful: 1 of 1 exchanges");
            assertThat(production.asked).hasSize(3);
            assertThat(targets(debug)).containsExactly("/before");
            assertThat(status.at("/bytes/teed").asLong())
                    .isLessThan(status.at("/bytes/request").asLong());
        }
    }

    @Test
    void off_givesUpWhatIsOnItsWay_andSaysSo() throws Exception {
        turn("paused");
        try (Socket client = stage.connect()) {
            ask(client, "/kept");
            stage.awaitStatus("copied", s -> s.at("/exchanges/production").asInt() == 1);

            turn("off");

            stage.awaitNotCompared("SWITCHED_OFF", 1);
            JsonNode status = stage.status();
            assertThat(status.at("/losses/SWITCHED_OFF/events").asInt()).isEqualTo(1);
            assertThat(status.get("fidelity").asText()).contains("lost 1 exchange", "SWITCHED_OFF");
            ask(client, "/after");
            assertThat(debug.asked).isEmpty();
        }
    }

    @Test
    void on_joinsOpenConnectionsAtTheirNextRequest() throws Exception {
        turn("off");
        try (Socket client = stage.connect()) {
            ask(client, "/unseen");
            turn("on");
            ask(client, "/seen/1");
            ask(client, "/seen/2");

            awaitAgreed(2);
            assertThat(targets(debug)).containsExactly("/seen/1", "/seen/2");
            assertThat(stage.status().get("joinedConnections").asInt()).isEqualTo(1);
            assertThat(stage.status().get("unjoinedConnections").asInt()).isZero();
        }
    }

    @Test
    void on_joinsAgainAndAgain_onOneConnection() throws Exception {
        try (Socket client = stage.connect()) {
            for (int round = 1; round <= 5; round++) {
                turn("off");
                ask(client, "/unseen/" + round);
                turn("on");
                ask(client, "/seen/" + round);
                awaitAgreed(round);
            }
            assertThat(targets(debug)).containsExactly("/seen/1", "/seen/2", "/seen/3", "/seen/4", "/seen/5");
        }
    }

    @Test
    void on_inTheMiddleOfABody_waitsForTheNextRequest() throws Exception {
        turn("off");
        try (Socket client = stage.connect()) {
            String inner = "GET /inner HTTP/1.1\r\nHost: a\r\n\r\n";
            String head =
                    "POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: " + (4 + inner.length()) + "\r\n\r\nhalf";
            send(client, head);
            stage.awaitStatus("relayed", s -> s.at("/bytes/request").asLong() == head.length());
            turn("on");
            send(client, inner);
            assertThat(reply(client)).contains("{\"n\":1}");
            ask(client, "/seen");

            awaitAgreed(1);
            assertThat(targets(debug)).containsExactly("/seen");
            assertThat(targets(production)).containsExactly("/upload", "/seen");
        }
    }

    @Test
    void on_wherePlainBytesFollow_countsTheConnectionAsNotJoined() throws Exception {
        try (PlainServer echo = PlainServer.open(SidecarTeeTest::echo);
                Stage tcp = Stage.open(echo.address(), debug.address(), Stage.WINDOW, ListenerConfig.Framing.TCP, "");
                Socket client = tcp.connect()) {
            turn(tcp, "off");
            send(client, "a");
            assertThat(client.getInputStream().read()).isEqualTo('a');
            turn(tcp, "on");
            send(client, "b");
            assertThat(client.getInputStream().read()).isEqualTo('b');

            tcp.awaitStatus("said", s -> s.at("/notCompared/NOT_JOINED").asInt() == 1);
            assertThat(tcp.status().get("unjoinedConnections").asInt()).isEqualTo(1);
            assertThat(tcp.status().at("/lanes/open").asInt()).isZero();
        }
    }

    @Test
    void paused_keepsEverything_andDeliversItLater() throws Exception {
        turn("paused");
        // fewer than are framed ahead, so that production's replies are counted meanwhile
        try (Socket client = stage.connect()) {
            for (int n = 0; n < 12; n++) {
                ask(client, "/" + n);
            }
            stage.awaitStatus("production", s -> s.at("/exchanges/production").asInt() == 12);
            assertThat(stage.status().get("tee").asText()).isEqualTo("paused");
            assertThat(debug.asked).isEmpty();

            turn("on");

            awaitAgreed(12);
            assertThat(targets(debug)).first().isEqualTo("/0");
            assertThat(targets(debug)).last().isEqualTo("/11");
            assertThat(stage.status().get("fidelity").asText()).isEqualTo("faithful: 12 of 12 exchanges");
        }
    }

    @Test
    void wrongWords_andUnknownListeners_areRefused() throws Exception {
        assertThat(turn("sideways").statusCode()).isEqualTo(400);
        assertThat(turn("sideways").body()).contains("on, paused, off");
        assertThat(put(stage, "/v1/listeners/nobody/tee", "{\"mode\":\"on\"}").statusCode())
                .isEqualTo(404);
        assertThat(put(stage, "/v1/listeners/orders/tee", "on").statusCode()).isEqualTo(400);
        assertThat(stage.control("/v1/listeners/orders/tee").get("mode").asText())
                .isEqualTo("on");
    }

    @Tag("slow")
    @Test
    void sampling_givesTheDebugJvmAShareOfTheRequests_alwaysTheSame() throws Exception {
        try (Stage half = sampled(new Sampling(1, 0.5, null, List.of("/api/"), List.of()));
                Socket client = connect(half)) {
            for (int round = 0; round < 2; round++) {
                for (int n = 0; n < 40; n++) {
                    ask(client, "/api/" + n);
                    ask(client, "/other/" + n);
                }
            }
            half.awaitStatus(
                    "all counted",
                    s -> Stage.total(s) + s.at("/notSampled/requests").asInt() == 160);

            List<String> seen = targets(debug);
            assertThat(seen).hasSizeBetween(20, 60).allMatch(target -> target.startsWith("/api/"));
            assertThat(seen.subList(seen.size() / 2, seen.size())).isEqualTo(seen.subList(0, seen.size() / 2));
            assertThat(agreed(half.status())).isEqualTo(seen.size());
            assertThat(half.status().get("fidelity").asText())
                    .isEqualTo("faithful: " + seen.size() + " of " + seen.size() + " exchanges");
            assertThat(production.asked).hasSize(160);
        }
    }

    @Test
    void sample_isChangedWhileItRuns_alsoForOpenConnections() throws Exception {
        try (Socket client = connect(stage)) {
            ask(client, "/a");
            awaitAgreed(1);

            assertThat(sample("{\"paths\":[\"/api/\"]}").body())
                    .contains("\"mode\":\"on\"", "\"requests\":\"100%\"", "\"paths\":[\"/api/\"]");
            ask(client, "/b");
            ask(client, "/api/c");
            awaitAgreed(2);
            sample("{\"connections\":\"0%\"}");
            try (Socket other = connect(stage)) {
                ask(other, "/d");
            }
            ask(client, "/e");
            awaitAgreed(3);

            assertThat(targets(debug)).containsExactly("/a", "/api/c", "/e");
            assertThat(stage.status().at("/notSampled/requests").asInt()).isEqualTo(1);
            assertThat(stage.status().at("/notSampled/connections").asInt()).isEqualTo(1);
        }
    }

    @Test
    void wrongSamples_areRefused_andChangeNothing() throws Exception {
        sample("{\"requests\":\"12.5%\"}");

        assertThat(sample("{\"requests\":\"200%\"}").body()).contains("200% (expected: 0% to 100%");
        assertThat(sample("{\"keys\":[\"a\"]}").body()).contains("expected: none, unless protocol is redis");
        assertThat(sample("{\"request\":\"1%\"}").statusCode()).isEqualTo(400);
        assertThat(sample("7").statusCode()).isEqualTo(400);
        assertThat(put(stage, "/v1/listeners/orders/tee", "{}").body()).contains("sample");

        assertThat(stage.control("/v1/listeners/orders/tee")
                        .at("/sample/requests")
                        .asText())
                .isEqualTo("12.5%");
    }

    private HttpResponse<String> sample(String sample) throws Exception {
        return put(stage, "/v1/listeners/orders/tee", "{\"sample\":" + sample + "}");
    }

    @Test
    void sampling_leavesConnectionsOut() throws Exception {
        try (Stage none = sampled(new Sampling(0, 1, null, List.of(), List.of()));
                Socket client = connect(none)) {
            ask(client, "/a");

            JsonNode status = none.status();
            assertThat(status.at("/notSampled/connections").asInt()).isEqualTo(1);
            assertThat(status.at("/lanes/open").asInt()).isZero();
            assertThat(status.at("/bytes/teed").asLong()).isZero();
        }
    }

    private Stage sampled(Sampling sampling) throws IOException {
        ListenerConfig all = Stage.listener(
                production.address(), debug.address(), ListenerConfig.Framing.HTTP, ListenerConfig.Order.CAUSAL);
        ListenerConfig some = new ListenerConfig(
                all.name(),
                all.listen(),
                all.production(),
                all.debug(),
                all.protocol(),
                all.order(),
                all.accept(),
                new TeeConfig(TeeMode.ON, sampling));
        return Stage.open(some, Stage.WINDOW, new TelemetryConfig("", "test", false, ""));
    }

    /** Waits for that many verdicts; a second may have passed between the two replies, so their dates may differ. */
    private void awaitAgreed(int exchanges) {
        JsonNode status = stage.awaitStatus(exchanges + " verdicts", s -> Stage.total(s) >= exchanges);
        assertThat(agreed(status)).as(status.toPrettyString()).isEqualTo(exchanges);
    }

    private static int agreed(JsonNode status) {
        return status.at("/verdicts/SAME").asInt()
                + status.at("/verdicts/EQUIVALENT").asInt();
    }

    private static Socket connect(Stage stage) throws IOException {
        return stage.connect();
    }

    private HttpResponse<String> turn(String mode) throws Exception {
        return turn(stage, mode);
    }

    private static HttpResponse<String> turn(Stage stage, String mode) throws Exception {
        return put(stage, "/v1/listeners/orders/tee", "{\"mode\":\"" + mode + "\"}");
    }

    private static HttpResponse<String> put(Stage stage, String path, String json) throws Exception {
        return stage.client.send(
                HttpRequest.newBuilder(stage.controlUri(path))
                        .header("Content-Type", "application/json")
                        .PUT(HttpRequest.BodyPublishers.ofString(json))
                        .timeout(Duration.ofSeconds(60))
                        .build(),
                BodyHandlers.ofString());
    }

    private static List<String> targets(HttpService service) {
        return service.asked.stream().map(HttpService.Asked::target).toList();
    }

    private static void echo(Socket socket) throws IOException {
        socket.getInputStream().transferTo(socket.getOutputStream());
    }

    private static void ask(Socket client, String path) throws IOException {
        send(client, "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
        assertThat(reply(client)).as(path).startsWith("HTTP/1.1 200").contains("{\"n\":1}");
    }

    private static void send(Socket client, String text) throws IOException {
        client.getOutputStream().write(Stage.ascii(text));
        client.getOutputStream().flush();
    }

    /** One reply, whose body ends with the first closing brace. */
    private static String reply(Socket client) throws IOException {
        StringBuilder read = new StringBuilder();
        InputStream in = client.getInputStream();
        for (int next = in.read(); next >= 0; next = in.read()) {
            read.append((char) next);
            if (next == '}') {
                break;
            }
        }
        return new String(read.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
