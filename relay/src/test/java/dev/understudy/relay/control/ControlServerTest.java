package dev.understudy.relay.control;

import dev.understudy.relay.control.access.Access;
import dev.understudy.relay.control.access.AccessConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ControlServerTest {
    private static final InetSocketAddress LOOPBACK = new InetSocketAddress("127.0.0.1", 0);

    private final AtomicInteger events = new AtomicInteger();
    private @Nullable ControlServer server;

    @AfterEach
    void close() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void get_answersJson() throws Exception {
        open();

        HttpResponse<String> reply = send(request("/v1/status?limit=3"));

        assertThat(reply.statusCode()).isEqualTo(200);
        assertThat(reply.body()).isEqualTo("{\"limit\":3}");
    }

    @Test
    void wrongParameter_getsAProblemThatNamesIt() throws Exception {
        open();

        HttpResponse<String> reply = send(request("/v1/status?limit=many"));

        assertThat(reply.statusCode()).isEqualTo(400);
        assertThat(reply.body()).contains("limit: many (expected: 1 to 100)");
    }

    @Test
    void unknownPath_namesTheKnownOnes() throws Exception {
        open();

        HttpResponse<String> reply = send(request("/v1/statsu"));

        assertThat(reply.statusCode()).isEqualTo(404);
        assertThat(reply.body()).contains("/v1/status").contains("/v1/window").contains("/healthz");
    }

    @Test
    void wrongMethodAndFailingHandler_areTold() throws Exception {
        open();

        assertThat(send(request("/v1/agent")).statusCode()).isEqualTo(405);
        assertThat(send(request("/v1/broken")).statusCode()).isEqualTo(500);
        assertThat(send(request("/v1/status")).statusCode()).isEqualTo(200);
    }

    @Test
    void post_carriesItsBody() throws Exception {
        open();

        HttpResponse<String> reply = send(json("/v1/agent").POST(HttpRequest.BodyPublishers.ofString("four")));

        assertThat(reply.body()).isEqualTo("{\"bytes\":4}");
    }

    @Test
    void partOfThePath_isCaptured() throws Exception {
        open();

        assertThat(send(json("/v1/things/a%20b/size").PUT(HttpRequest.BodyPublishers.ofString("four")))
                        .body())
                .isEqualTo("{\"a b\":4}");
        assertThat(send(request("/v1/things/a/size")).statusCode()).isEqualTo(405);
        assertThat(send(request("/v1/things//size")).statusCode()).isEqualTo(404);
        assertThat(send(request("/v1/things/a/b/size")).statusCode()).isEqualTo(404);
    }

    @Test
    void tooLargeBody_isRefused() throws Exception {
        open();

        HttpResponse<String> reply =
                send(json("/v1/agent").POST(HttpRequest.BodyPublishers.ofByteArray(new byte[5 << 20])));

        assertThat(reply.statusCode()).isEqualTo(413);
    }

    @Test
    void stream_sendsEventsUntilTheCallerLeaves() throws Exception {
        open();

        HttpResponse<InputStream> reply = HttpClient.newHttpClient()
                .send(request("/v1/window").build(), HttpResponse.BodyHandlers.ofInputStream());

        try (BufferedReader lines = new BufferedReader(new InputStreamReader(reply.body(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).isEqualTo("data: {\"event\":1}");
            assertThat(lines.readLine()).isEmpty();
            assertThat(lines.readLine()).isEqualTo("data: {\"event\":2}");
        }
    }

    @Test
    void garbage_neverStopsTheServer() throws Exception {
        open();
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            byte[] garbage = new byte[1 + random.nextInt(400)];
            random.nextBytes(garbage);
            try (Socket socket = new Socket()) {
                socket.connect(requireNonNull(server).address());
                socket.getOutputStream().write(garbage);
            }
        }

        assertThat(send(request("/v1/status")).statusCode()).isEqualTo(200);
    }

    @Test
    void takenPort_isNamed() throws Exception {
        open();
        ControlConfig again = new ControlConfig(requireNonNull(server).address(), AccessConfig.open());

        assertThatThrownBy(() -> ControlServer.open(again, new Routes()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(String.valueOf(again.listen().getPort()));
    }

    private void open() throws IOException {
        Routes routes = new Routes()
                        .get("/v1/status", call -> Reply.json(Map.of("limit", call.number("limit", 10, 1, 100))))
                        .get("/v1/broken", call -> {
                            throw new IllegalStateException("broken");
                        })
                        .put(
                                Access.OPERATE,
                                "/v1/things/{name}/size",
                                call -> Reply.json(Map.of(call.captured("name"), call.body().length)))
                        .post(Access.AGENT, "/v1/agent", call -> Reply.json(Map.of("bytes", call.body().length)))
                        .stream("/v1/window", Duration.ofMillis(20), () -> Map.of("event", events.incrementAndGet()));
        server = ControlServer.open(new ControlConfig(LOOPBACK, AccessConfig.open()), routes);
    }

    private HttpRequest.Builder request(String path) {
        int port = requireNonNull(server).address().getPort();
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    private HttpRequest.Builder json(String path) {
        return request(path).header("Content-Type", "application/json");
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
