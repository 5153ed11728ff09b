package dev.understudy.aggregator;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Real clients of HTTP/2 in plain text: one that upgrades, and one that knows beforehand. */
class Http2EndToEndTest {
    private final HttpClient upgrading = HttpClient.newHttpClient();
    private final HttpClient http1 =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final OkHttpClient knowing = new OkHttpClient.Builder()
            .protocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE))
            .readTimeout(60, TimeUnit.SECONDS)
            .build();
    private Http2Server server;
    private Aggregator aggregator;

    @BeforeEach
    void start() throws IOException {
        server = new Http2Server();
        aggregator = TestAggregator.open("http", server.port(), "wait: 30s");
    }

    @AfterEach
    void stop() {
        knowing.dispatcher().executorService().shutdown();
        knowing.connectionPool().evictAll();
        aggregator.close();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a?b=1", "/large", "/trailers", "/early", "/empty"})
    void clientThatKnows_getsTheSame(String path) throws IOException {
        try (Response real = ask(production(), path);
                Response replayed = ask(debug(), path)) {
            assertThat(replayed.protocol()).isEqualTo(Protocol.H2_PRIOR_KNOWLEDGE);
            assertThat(replayed.code()).isEqualTo(real.code());
            assertThat(replayed.headers()).isEqualTo(real.headers());
            assertThat(replayed.body().string()).isEqualTo(real.body().string());
            assertThat(replayed.trailers()).isEqualTo(real.trailers());
        }
        assertReplayed(1);
    }

    @Test
    void clientThatUpgrades_isTakenAlongWhereProductionsServerAgreed() throws Exception {
        HttpResponse<String> unknown = send(upgrading, debugLater("/later"));
        assertThat(unknown.version()).isEqualTo(HttpClient.Version.HTTP_1_1);

        List<HttpResponse<String>> real = new ArrayList<>();
        List<HttpResponse<String>> replayed = new ArrayList<>();
        for (String body : List.of("first", "second")) {
            real.add(send(upgrading, post(production(), body)));
        }
        HttpClient debugging = HttpClient.newHttpClient();
        for (String body : List.of("first", "second")) {
            replayed.add(send(debugging, post(debug(), body)));
        }

        for (int n = 0; n < real.size(); n++) {
            assertThat(real.get(n).version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(replayed.get(n).version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(replayed.get(n).body()).isEqualTo(real.get(n).body());
            assertThat(replayed.get(n).headers()).isEqualTo(real.get(n).headers());
        }
        assertReplayed(3);
    }

    /** A request of the debug side, while production makes the same one. */
    private HttpRequest debugLater(String path) throws IOException {
        ask(production(), path).close();
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + debug() + path))
                .header("Accept-Encoding", "gzip")
                .build();
    }

    @Test
    void whatCameByOneVersion_isReplayedByTheOther() throws Exception {
        String real = text(ask(production(), "/trailers"));
        HttpResponse<String> replayed = send(http1, get(debug(), "/trailers"));

        assertThat(replayed.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
        assertThat(replayed.statusCode()).isEqualTo(200);
        assertThat(replayed.body()).isEqualTo(real);
        assertThat(replayed.headers().map()).containsKeys("transfer-encoding", "content-type");
        assertReplayed(1);
    }

    @Test
    void manyStreamsAtOnce_eachGetTheirOwn() throws Exception {
        int streams = 90; // as many as the server allows
        List<CompletableFuture<HttpResponse<String>>> real = new ArrayList<>();
        send(upgrading, post(production(), "upgrade"));
        for (int n = 0; n < streams; n++) {
            real.add(upgrading.sendAsync(post(production(), "body " + n), BodyHandlers.ofString()));
        }
        List<String> answers = new ArrayList<>();
        for (CompletableFuture<HttpResponse<String>> one : real) {
            answers.add(one.get(60, TimeUnit.SECONDS).body());
        }
        HttpClient debugging = HttpClient.newHttpClient();
        send(debugging, post(debug(), "upgrade"));
        List<CompletableFuture<HttpResponse<String>>> replayed = new ArrayList<>();
        for (int n = 0; n < streams; n++) {
            replayed.add(debugging.sendAsync(post(debug(), "body " + n), BodyHandlers.ofString()));
        }
        for (int n = 0; n < streams; n++) {
            assertThat(replayed.get(n).get(60, TimeUnit.SECONDS).body()).isEqualTo(answers.get(n));
        }
        assertReplayed(streams + 1);
    }

    @Test
    void headRequest_getsTheLengthAndNoBody() throws IOException {
        Request.Builder head = new Request.Builder().head();
        try (Response real = knowing.newCall(head.url(url(production(), "/h")).build())
                        .execute();
                Response replayed =
                        knowing.newCall(head.url(url(debug(), "/h")).build()).execute()) {
            assertThat(replayed.headers()).isEqualTo(real.headers());
            assertThat(replayed.header("content-length")).isEqualTo("10");
            assertThat(replayed.body().string()).isEmpty();
        }
    }

    @Test
    void streamThatTheServerReset_isCountedAndMissed() throws Exception {
        stop();
        server = new Http2Server();
        aggregator = TestAggregator.open("http", server.port(), "wait: 10ms");
        OkHttpClient strict = knowing.newBuilder()
                .dispatcher(new okhttp3.Dispatcher())
                .retryOnConnectionFailure(false)
                .build();
        assertThatThrownBy(() -> strict.newCall(new Request.Builder()
                                .url(url(production(), "/reset"))
                                .build())
                        .execute())
                .hasMessageContaining("REFUSED_STREAM");
        Eventually.await(() -> TestAggregator.status(aggregator).contains("\"INCOMPLETE\":1"));

        try (Response missed = strict.newCall(
                        new Request.Builder().url(url(debug(), "/reset")).build())
                .execute()) {
            assertThat(missed.code()).isEqualTo(502);
            assertThat(missed.header("content-type")).isEqualTo("application/problem+json");
            assertThat(missed.header("connection")).isNull();
            assertThat(missed.body().string()).contains("No recorded reply", "GET /reset");
        }
        assertThat(server.served).hasValue(1);
    }

    @Test
    void garbageAfterThePreface_endsThatConnectionOnly() throws Exception {
        byte[] preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        try (Socket odd = new Socket("127.0.0.1", debug())) {
            odd.getOutputStream().write(preface);
            odd.getOutputStream().write(new byte[] {0, 0, 0, 1, 4, 0, 0, 0, 1, -1, -1, -1});
            odd.setSoTimeout(60_000);
            odd.getInputStream().readAllBytes();
        }
        String real = text(ask(production(), "/a", "x"));
        assertThat(text(ask(debug(), "/a", "x"))).isEqualTo(real);
    }

    private void assertReplayed(int requests) {
        assertThat(TestAggregator.status(aggregator))
                .contains("\"replayed\":" + requests, "\"missed\":0", "\"unframed\":{}");
        assertThat(server.served).hasValue(requests);
    }

    private Response ask(int port, String path) throws IOException {
        return knowing.newCall(new Request.Builder().url(url(port, path)).build())
                .execute();
    }

    private Response ask(int port, String path, String body) throws IOException {
        RequestBody sent = RequestBody.create(body.getBytes(StandardCharsets.UTF_8));
        return knowing.newCall(
                        new Request.Builder().url(url(port, path)).post(sent).build())
                .execute();
    }

    private static String text(Response response) throws IOException {
        try (response) {
            return response.body().string();
        }
    }

    private static HttpResponse<String> send(HttpClient client, HttpRequest request) throws Exception {
        return client.send(request, BodyHandlers.ofString());
    }

    private static HttpRequest post(int port, String body) {
        return HttpRequest.newBuilder(URI.create(url(port, "/post")))
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    private static HttpRequest get(int port, String path) {
        return HttpRequest.newBuilder(URI.create(url(port, path)))
                .header("Accept-Encoding", "gzip")
                .build();
    }

    private static String url(int port, String path) {
        return "http://127.0.0.1:" + port + path;
    }

    private int production() {
        return aggregator.productionAddress("test").getPort();
    }

    private int debug() {
        return ((InetSocketAddress) aggregator.debugAddress("test")).getPort();
    }
}
