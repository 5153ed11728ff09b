package dev.understudy.aggregator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Faults on purpose, as HTTP and Redis clients meet them; production meets none. */
class InjectedFaultsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PING = "PING\r\n";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private HttpServer server;
    private Aggregator aggregator;

    @BeforeEach
    void start() throws IOException {
        aggregator = TestAggregator.open("redis", 1, "wait: 100ms");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = "x".repeat(20_000).getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        aggregator.close();
        server.stop(0);
    }

    @Test
    void error_isAMarkedProblemAndUsesUpNoRecording() throws Exception {
        http();
        assertThat(ask(production(), "/a").statusCode()).isEqualTo(200);
        set("broken", "{\"upstream\":\"test\",\"fault\":\"error\",\"code\":\"500\",\"message\":\"too bad\"}");

        HttpResponse<String> broken = ask(debug(), "/a");
        assertThat(broken.statusCode()).isEqualTo(500);
        assertThat(broken.headers().firstValue("understudy-fault")).contains("broken");
        assertThat(broken.body()).contains("Injected fault", "injected by understudy (broken): too bad");
        assertThat(ask(production(), "/b").statusCode()).isEqualTo(200);

        assertThat(call("DELETE", "/v1/faults/broken", "").statusCode()).isEqualTo(200);
        HttpResponse<String> healed = ask(debug(), "/a");
        assertThat(healed.statusCode()).isEqualTo(200);
        assertThat(healed.headers().firstValue("understudy-fault")).isEmpty();
        JsonNode counts = debugCounts();
        assertThat(counts.at("/faulted").asInt()).isEqualTo(1);
        assertThat(counts.at("/faults/error").asInt()).isEqualTo(1);
        assertThat(counts.at("/missed").asInt()).isZero();
        assertThat(JSON.readTree(TestAggregator.get(aggregator, "/v1/misses")).at("/misses"))
                .isEmpty();
        JsonNode fault = JSON.readTree(TestAggregator.get(aggregator, "/v1/matches?outcome=FAULT"));
        assertThat(fault.at("/matches/0/faults/0").asText()).isEqualTo("broken");
        assertThat(TestAggregator.get(aggregator, "/metrics"))
                .containsPattern("understudy_aggregator_debug_faults_total\\{[^}]*fault=\"error\"[^}]*} 1");
    }

    @Test
    void latency_holdsMatchingRequestsBackAndMarksTheirReplies() throws Exception {
        http();
        for (String path : new String[] {"/a", "/b"}) {
            assertThat(ask(production(), path).statusCode()).isEqualTo(200);
        }
        set("slow", "{\"upstream\":\"test\",\"fault\":\"latency\",\"delay\":\"700ms\",\"form\":\"GET /a*\"}");

        HttpResponse<String> unhindered = ask(debug(), "/b");
        assertThat(unhindered.headers().firstValue("understudy-fault")).isEmpty();
        long began = System.nanoTime();
        HttpResponse<String> held = ask(debug(), "/a");
        assertThat(millisSince(began)).isGreaterThanOrEqualTo(700);
        assertThat(held.headers().firstValue("understudy-fault")).contains("slow");
        assertThat(held.body()).hasSize(20_000);
        JsonNode counts = debugCounts();
        assertThat(counts.at("/hampered").asInt()).isEqualTo(1);
        assertThat(counts.at("/faulted").asInt()).isZero();
        assertThat(counts.at("/replayed").asInt()).isEqualTo(2);
        assertThat(JSON.readTree(TestAggregator.get(aggregator, "/v1/faults"))
                        .at("/faults/0/applied")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void bandwidth_spreadsTheReplyOverTime() throws Exception {
        http("1ms");
        assertThat(ask(production(), "/a").statusCode()).isEqualTo(200);
        TestAggregator.awaitUnused(aggregator, 1);
        set("thin", "{\"upstream\":\"test\",\"fault\":\"bandwidth\",\"rate\":\"20KiB\"}");

        long began = System.nanoTime();
        HttpResponse<String> thin = ask(debug(), "/a");

        assertThat(thin.body()).isEqualTo("x".repeat(20_000));
        assertThat(millisSince(began)).isGreaterThanOrEqualTo(800);
        assertThat(ask(debug(), "/a").statusCode())
                .as("a miss, on the same connection")
                .isEqualTo(502);
    }

    @Test
    void redisError_isInItsOwnWords() throws Exception {
        set("loading", "{\"upstream\":\"test\",\"fault\":\"error\",\"code\":\"LOADING\",\"form\":\"PING\"}");
        try (Socket socket = connect()) {
            assertThat(line(socket, PING)).isEqualTo("-LOADING injected by understudy (loading): a fault on purpose");
            socket.setSoTimeout(60_000);
            assertThat(line(socket, "ECHO a\r\n")).isEqualTo("$1");
        }
    }

    @Test
    void reset_isOne() throws Exception {
        set("cut", "{\"upstream\":\"test\",\"fault\":\"reset\"}");
        try (Socket socket = connect()) {
            assertThatThrownBy(() -> line(socket, PING))
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
        }
    }

    @Test
    void blackHole_staysOpenAndSilentUntilTheClientGoes() throws Exception {
        set("hole", "{\"upstream\":\"test\",\"fault\":\"black-hole\"}");
        try (Socket socket = connect()) {
            socket.setSoTimeout(300);
            assertThatThrownBy(() -> line(socket, PING)).isInstanceOf(SocketTimeoutException.class);
            for (int i = 0; i < 30; i++) {
                socket.getOutputStream().write(PING.repeat(1_000).getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(debugCounts().at("/open").asInt()).isEqualTo(1);
        }
        Eventually.await(() -> debugCounts().at("/open").asInt() == 0);
        assertThat(debugCounts().at("/faulted").asInt()).isEqualTo(1);
    }

    @Test
    void blackHole_noticesTheEndOfAClientThatAskedForMuchAtOnce() throws Exception {
        set("hole", "{\"upstream\":\"test\",\"fault\":\"black-hole\"}");
        try (Socket socket = connect()) {
            socket.getOutputStream().write(PING.repeat(5_000).getBytes(StandardCharsets.US_ASCII));
            Eventually.await(() -> debugCounts().at("/faulted").asInt() == 1);
        }
        Eventually.await(() -> debugCounts().at("/open").asInt() == 0);
    }

    @Test
    void blackHole_leavesWhatWasAnsweredBefore() throws Exception {
        set("hole", "{\"upstream\":\"test\",\"fault\":\"black-hole\",\"form\":\"PING\"}");
        try (Socket socket = connect()) {
            socket.setSoTimeout(60_000);
            assertThat(line(socket, "ECHO a\r\n" + PING)).isEqualTo("$1");
        }
    }

    @Test
    void slowClose_delaysTheEndOfEitherSide() throws Exception {
        set("linger", "{\"upstream\":\"test\",\"fault\":\"slow-close\",\"delay\":\"600ms\"}");
        try (Socket socket = connect()) {
            assertThat(line(socket, PING)).isEqualTo("+PONG");
            long began = System.nanoTime();
            socket.shutdownOutput();
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
            assertThat(millisSince(began)).isGreaterThanOrEqualTo(600);
        }
        try (Socket socket = connect()) {
            long began = System.nanoTime();
            assertThat(line(socket, "QUIT\r\n")).isEqualTo("+OK");
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
            assertThat(millisSince(began)).isGreaterThanOrEqualTo(600);
        }
    }

    @Test
    void slowClose_doesntHoldTheAggregatorsOwnEndBack() throws Exception {
        set("linger", "{\"upstream\":\"test\",\"fault\":\"slow-close\",\"delay\":\"1h\"}");
        try (Socket socket = connect()) {
            assertThat(line(socket, PING)).isEqualTo("+PONG");
            aggregator.close();
            aggregator = TestAggregator.open("redis", 1);
        }
    }

    @Test
    void wrongRules_areRefusedWithTheirPlaces() throws Exception {
        assertThat(refused("PUT", "/v1/faults", """
                {"faults": [
                  {"upstream": "test", "fault": "latency", "delay": "soon", "jiter": "1s"},
                  {"upstream": "nowhere", "fault": "reset", "form": "/(/", "percent": 0},
                  {"upstream": "test", "fault": "error", "code": "lower case"}
                ]}"""))
                .contains("body:2:53: faults[0].delay: soon (expected: a time")
                .contains("faults[0].jiter: unknown key; did you mean jitter?")
                .contains("faults[1].upstream: nowhere (expected: one of test)")
                .contains("faults[1].form: /(/ (expected: a pattern")
                .contains("faults[1].percent: 0 (expected: above 0, to 100)")
                .contains("faults[2].code: lower case (expected: the first word of an error");
        for (String hostile : new String[] {
            "[".repeat(60_000),
            "{\"faults\": " + "[".repeat(50_000),
            "{\"faults\": [{",
            "faults: [&a [*a, *a]]",
            "\u0000",
            "a: &a [b]\nfaults: *a",
            "{\"faults\": 3}",
            "{\"faults\": [null, \"x\", [[]]]}",
            "x".repeat(60_000)
        }) {
            assertThat(refused("PUT", "/v1/faults", hostile)).isNotEmpty();
        }
        assertThat(refused("PUT", "/v1/faults/a%20b", "{\"upstream\":\"test\",\"fault\":\"reset\"}"))
                .contains("letters, digits");
        assertThat(call("PUT", "/v1/faults", "x".repeat(70_000)).statusCode()).isEqualTo(413);
        assertThat(call("DELETE", "/v1/faults/none", "").statusCode()).isEqualTo(404);
        assertThat(TestAggregator.get(aggregator, "/v1/faults")).isEqualTo("{\"faults\":[]}");
    }

    private String refused(String method, String path, String body) throws Exception {
        HttpResponse<String> reply = call(method, path, body);
        assertThat(reply.statusCode())
                .as(body.substring(0, Math.min(80, body.length())) + " -> " + reply.body())
                .isEqualTo(400);
        return JSON.readTree(reply.body()).path("detail").asText();
    }

    private void http() throws IOException {
        http("30s");
    }

    private void http(String wait) throws IOException {
        aggregator.close();
        aggregator = TestAggregator.open("http", server.getAddress().getPort(), "wait: " + wait);
    }

    private void set(String name, String rule) throws Exception {
        HttpResponse<String> reply = call("PUT", "/v1/faults/" + name, rule);
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
    }

    private HttpResponse<String> call(String method, String path, String body) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + aggregator.controlAddress().getPort() + path);
        return client.send(
                HttpRequest.newBuilder(uri)
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private JsonNode debugCounts() throws IOException {
        return JSON.readTree(TestAggregator.status(aggregator)).at("/upstreams/0/debug");
    }

    private SocketAddress production() {
        return aggregator.productionAddress("test");
    }

    private SocketAddress debug() {
        return aggregator.debugAddress("test");
    }

    private HttpResponse<String> ask(SocketAddress at, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + ((InetSocketAddress) at).getPort() + path);
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout(60_000);
        socket.connect(debug());
        return socket;
    }

    /** The first line of the reply. */
    private static String line(Socket socket, String command) throws IOException {
        socket.getOutputStream().write(command.getBytes(StandardCharsets.US_ASCII));
        StringBuilder line = new StringBuilder();
        for (int c = socket.getInputStream().read();
                c != '\n';
                c = socket.getInputStream().read()) {
            if (c < 0) {
                throw new IOException("ended after " + line);
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }
}
