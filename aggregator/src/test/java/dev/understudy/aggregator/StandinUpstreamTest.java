package dev.understudy.aggregator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPOutputStream;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code miss: standin}: a stand-in answers what nothing recorded fits, and the real upstream never gets any of it. */
class StandinUpstreamTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<String> reached = new CopyOnWriteArrayList<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private HttpServer upstream;
    private HttpServer standin;
    private @Nullable Aggregator opened;

    @BeforeEach
    void start() throws IOException {
        upstream = server(exchange -> {
            reached.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            return "real".getBytes(StandardCharsets.US_ASCII);
        });
        standin = server(exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body);
            exchange.getResponseHeaders()
                    .add("X-Seen", String.valueOf(exchange.getRequestHeaders().getFirst("X-Key")));
            boolean isCompressed = exchange.getRequestURI().getPath().equals("/gzip");
            if (isCompressed) {
                exchange.getResponseHeaders().add("Content-Encoding", "gzip");
            }
            return isCompressed ? compressed("made up") : ("made up " + body).getBytes(StandardCharsets.UTF_8);
        });
    }

    private interface Answering {
        byte[] answer(HttpExchange exchange) throws IOException;
    }

    private static HttpServer server(Answering answering) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = answering.answer(exchange);
            boolean isHead = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(200, isHead ? -1 : body.length);
            exchange.getResponseBody().write(isHead ? new byte[0] : body);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static byte[] compressed(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    @AfterEach
    void stop() {
        if (opened != null) {
            opened.close();
        }
        upstream.stop(0);
        standin.stop(0);
    }

    @Test
    void whateverNothingRecordedFits_reachesTheStandIn_andNeverTheUpstream() throws Exception {
        open("miss: standin", "standin: 127.0.0.1:" + standin.getAddress().getPort());
        assertThat(ask(aggregator().productionAddress("test"), "/a", "GET", "").body())
                .isEqualTo("real");
        TestAggregator.awaitUnused(aggregator(), 1);
        reached.clear();

        HttpResponse<String> recorded = ask(debug(), "/a", "GET", "");
        assertThat(recorded.body()).isEqualTo("real");
        assertThat(recorded.headers().firstValue("understudy-standin")).isEmpty();
        HttpResponse<String> made = ask(debug(), "/orders?n=1", "POST", "{\"sku\": 1}");
        assertThat(made.statusCode()).isEqualTo(200);
        assertThat(made.body()).isEqualTo("made up {\"sku\": 1}");
        assertThat(made.headers().firstValue("understudy-standin")).contains("true");
        assertThat(made.headers().firstValue("x-seen")).as("headers arrive").contains("k");
        for (String method : List.of("PUT", "DELETE", "PATCH", "GET", "HEAD")) {
            assertThat(ask(debug(), "/b", method, "").headers().firstValue("understudy-standin"))
                    .as(method)
                    .contains("true");
        }

        assertThat(reached).as("bytes at the real upstream").isEmpty();
        assertThat(asked)
                .containsExactly(
                        "POST /orders?n=1 {\"sku\": 1}", "PUT /b ", "DELETE /b ", "PATCH /b ", "GET /b ", "HEAD /b ");
        assertThat(counts("/replayed")).isEqualTo(1);
        assertThat(counts("/standin/answered")).isEqualTo(6);
        assertThat(counts("/missed")).isZero();
        assertThat(counts("/live/answered")).isZero();
        assertThat(counts("/connections")).as("the debug JVM's own stays open").isEqualTo(1);
    }

    @Test
    void clientOfHttp2_getsTheSame() throws Exception {
        open("miss: standin", "standin: 127.0.0.1:" + standin.getAddress().getPort());
        OkHttpClient knowing = new OkHttpClient.Builder()
                .protocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE))
                .build();
        Request request = new Request.Builder()
                .url("http://127.0.0.1:" + ((InetSocketAddress) debug()).getPort() + "/b")
                .put(RequestBody.create("{}", MediaType.get("application/json")))
                .build();

        try (Response reply = knowing.newCall(request).execute()) {
            assertThat(Objects.requireNonNull(reply.body()).string()).isEqualTo("made up {}");
            assertThat(reply.header("understudy-standin")).isEqualTo("true");
        }

        assertThat(asked).containsExactly("PUT /b {}");
        assertThat(reached).isEmpty();
    }

    @Test
    void madeUpReplies_areListedAsSuch() throws Exception {
        open("miss: standin", "standin: 127.0.0.1:" + standin.getAddress().getPort());

        ask(debug(), "/orders", "POST", "{}");

        JsonNode match = JSON.readTree(TestAggregator.get(aggregator(), "/v1/matches?outcome=STANDIN"))
                .at("/matches/0");
        assertThat(match.path("form").asText()).startsWith("POST /orders");
        assertThat(match.path("why").asText()).isNotEmpty();
        assertThat(JSON.readTree(TestAggregator.get(aggregator(), "/v1/matches/1"))
                        .path("outcome")
                        .asText())
                .isEqualTo("STANDIN");
        JsonNode misses = JSON.readTree(TestAggregator.get(aggregator(), "/v1/misses"));
        assertThat(misses.at("/misses/0/why").asText()).endsWith("; a stand-in answered");
        assertThat(misses.at("/kinds/0/outcome").asText()).isEqualTo("STANDIN");
        assertThat(TestAggregator.get(aggregator(), "/metrics"))
                .contains("understudy_aggregator_debug_standin_total{upstream=\"test\"} 1");
        assertThat(aggregator().fidelity()).endsWith("0 missed, 1 answered by a stand-in");
    }

    @Test
    void compressedReply_isNotTouched() throws Exception {
        open("miss: standin", "standin: 127.0.0.1:" + standin.getAddress().getPort());

        HttpResponse<byte[]> reply =
                client.send(TestAggregator.request(debug(), "/gzip", "GET", "").build(), BodyHandlers.ofByteArray());

        assertThat(reply.headers().firstValue("content-encoding")).contains("gzip");
        assertThat(reply.body()).isEqualTo(compressed("made up"));
    }

    @Test
    void ruleOfSomeCalls_sendsNoOthers() throws Exception {
        open(
                "calls: [{ form: 'POST *', miss: standin }]",
                "standin: 127.0.0.1:" + standin.getAddress().getPort());

        assertThat(ask(debug(), "/a", "GET", "").statusCode()).isEqualTo(502);
        assertThat(ask(debug(), "/a", "POST", "{}").body()).isEqualTo("made up {}");

        assertThat(asked).containsExactly("POST /a {}");
        assertThat(counts("/missed")).isEqualTo(1);
    }

    @Test
    void bodyThatIsNotKept_isAMiss_andIsNotSentCutOff() throws Exception {
        open("miss: standin", "standin: 127.0.0.1:" + standin.getAddress().getPort());

        assertThat(ask(debug(), "/a", "POST", "x".repeat(256 << 10)).statusCode())
                .isEqualTo(200);
        HttpResponse<String> missed = ask(debug(), "/a", "POST", "x".repeat((256 << 10) + 1));

        assertThat(missed.statusCode()).isEqualTo(502);
        assertThat(missed.body()).contains("the body is longer than what is kept of it");
        assertThat(asked).hasSize(1);
        assertThat(counts("/standin/refused")).isEqualTo(1);
        assertThat(counts("/missed")).isEqualTo(1);
    }

    @Test
    void standInThatIsGone_isAMiss_whoseReasonIsNamed() throws Exception {
        open("miss: standin", "standin: 127.0.0.1:" + standin.getAddress().getPort());
        standin.stop(0);

        HttpResponse<String> missed = ask(debug(), "/a", "GET", "");

        assertThat(missed.statusCode()).isEqualTo(502);
        assertThat(missed.body()).contains("the stand-in didn't answer: it can't be reached");
        assertThat(missed.headers().firstValue("understudy-standin")).isEmpty();
        assertThat(counts("/standin/failed")).isEqualTo(1);
        assertThat(counts("/missed")).isEqualTo(1);
        assertThat(reached).isEmpty();
    }

    @Test
    void standInThatAnswersGarbage_isAMiss_whoseReasonIsNamed() throws Exception {
        try (ServerSocket odd = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            open("miss: standin", "standin: 127.0.0.1:" + odd.getLocalPort());
            CompletableFuture<HttpResponse<String>> missed = client.sendAsync(
                    TestAggregator.request(debug(), "/a", "GET", "").build(), BodyHandlers.ofString());
            try (Socket call = odd.accept()) {
                call.getOutputStream().write("SSH-2.0-no\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

                assertThat(missed.get().statusCode()).isEqualTo(502);
                assertThat(missed.get().body()).contains("its reply isn't whole, or no HTTP/1.1");
            }
            assertThat(counts("/standin/failed")).isEqualTo(1);
        }
    }

    private void open(String... settings) throws IOException {
        opened = TestAggregator.open("http", upstream.getAddress().getPort(), wait(settings));
    }

    private static String[] wait(String... settings) {
        String[] all = new String[settings.length + 1];
        all[0] = "wait: 1ms";
        System.arraycopy(settings, 0, all, 1, settings.length);
        return all;
    }

    private Aggregator aggregator() {
        return Objects.requireNonNull(opened);
    }

    private long counts(String pointer) throws IOException {
        return TestAggregator.debugCount(aggregator(), pointer);
    }

    private SocketAddress debug() {
        return aggregator().debugAddress("test");
    }

    private HttpResponse<String> ask(SocketAddress at, String path, String method, String body) throws Exception {
        return client.send(TestAggregator.request(at, path, method, body).build(), BodyHandlers.ofString());
    }
}
