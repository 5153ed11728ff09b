package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.Ports;
import dev.understudy.relay.accept.AcceptConfig;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.connect.ProductionConfig;
import dev.understudy.relay.control.ControlConfig;
import dev.understudy.relay.control.access.AccessConfig;
import dev.understudy.sidecar.config.DebugTarget;
import dev.understudy.sidecar.config.ListenerConfig;
import dev.understudy.sidecar.config.SidecarConfig;
import dev.understudy.sidecar.config.TeeConfig;
import dev.understudy.sidecar.config.TelemetryConfig;
import dev.understudy.sidecar.config.WindowConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

import static dev.understudy.sidecar.Patience.PATIENCE;
import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

/** A real sidecar between services on loopback, with a client and with what its control port says. */
final class Stage implements AutoCloseable {
    static final WindowConfig WINDOW = new WindowConfig(
            16L << 20, 256L << 20, Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(60));
    private static final InetSocketAddress FREE = InetSocketAddress.createUnresolved("127.0.0.1", 0);
    private static final ObjectMapper JSON = new ObjectMapper();

    final Sidecar sidecar;
    final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    private Stage(Sidecar sidecar) {
        this.sidecar = sidecar;
    }

    static Stage open(InetSocketAddress production, InetSocketAddress debug) throws IOException {
        return open(production, debug, WINDOW, ListenerConfig.Framing.HTTP, "");
    }

    static Stage open(InetSocketAddress production, InetSocketAddress debug, WindowConfig window) throws IOException {
        return open(production, debug, window, ListenerConfig.Framing.HTTP, "");
    }

    static Stage open(
            InetSocketAddress production,
            @Nullable InetSocketAddress debug,
            WindowConfig window,
            ListenerConfig.Framing framing,
            String otlp)
            throws IOException {
        return open(
                listener(production, debug, framing, ListenerConfig.Order.CAUSAL),
                window,
                new TelemetryConfig(otlp, "sidecar-test", true, ""));
    }

    static Stage open(ListenerConfig listener, WindowConfig window, TelemetryConfig telemetry) throws IOException {
        ControlConfig control = new ControlConfig(FREE, AccessConfig.open());
        return new Stage(Sidecar.start(
                new SidecarConfig(List.of(listener), window, 1 << 20, control, telemetry, Duration.ZERO)));
    }

    static Stage of(SidecarConfig config) throws IOException {
        return new Stage(Sidecar.start(config));
    }

    static ListenerConfig listener(
            InetSocketAddress production,
            @Nullable InetSocketAddress debug,
            ListenerConfig.Framing framing,
            ListenerConfig.Order order) {
        return new ListenerConfig(
                "orders",
                FREE,
                ProductionConfig.of(new Address.Inet(production.getHostString(), production.getPort())),
                debug == null ? List.of() : List.of(DebugTarget.of(debug)),
                framing,
                order,
                AcceptConfig.defaults().atMost(1000),
                TeeConfig.defaults());
    }

    /** Where clients connect. */
    InetSocketAddress address() {
        return sidecar.addresses().values().iterator().next();
    }

    HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = request(path).GET();
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, byte[] body) throws IOException, InterruptedException {
        return client.send(
                request(path).POST(HttpRequest.BodyPublishers.ofByteArray(body)).build(), BodyHandlers.ofString());
    }

    Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.connect(address());
        socket.setSoTimeout((int) PATIENCE.toMillis());
        return socket;
    }

    /** The listener's part of the status. */
    JsonNode status() {
        return control("/v1/status").get("listeners").get(0);
    }

    JsonNode verdicts(String kind) {
        return control("/v1/verdicts?kind=" + kind + "&limit=100").get("verdicts");
    }

    JsonNode control(String path) {
        try {
            return JSON.readTree(controlText(path).body());
        } catch (IOException e) {
            throw new AssertionError(path, e);
        }
    }

    HttpResponse<String> controlText(String path) {
        try {
            HttpRequest request = HttpRequest.newBuilder(controlUri(path)).build();
            return client.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(path, e);
        }
    }

    /** Posts a document to the control port. */
    void order(String path, String document) throws IOException, InterruptedException {
        HttpRequest order = HttpRequest.newBuilder(controlUri(path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(document))
                .build();
        assertThat(client.send(order, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }

    /** An agent tells of one exchange that it observed, which these bytes of the sidecar's own port made. */
    void observed(int port, int from, int to) throws IOException, InterruptedException {
        observed("\"port\":" + port + ",\"from\":" + from + ",\"to\":" + to, "16");
    }

    /** The same of one that is known by its debug span. */
    void observed(String span, boolean called) throws IOException, InterruptedException {
        observed("\"span\":\"" + span + "\"", called ? "16" : "");
    }

    private void observed(String which, String held) throws IOException, InterruptedException {
        String batch = "{\"name\":\"a\",\"run\":1,\"closed\":[],\"methods\":{\"1\":\"A#b\"},\"exchanges\":[{" + which
                + ",\"whole\":true,\"held\":[" + held + "]}]}";
        HttpRequest post = HttpRequest.newBuilder(controlUri("/v1/observations"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(batch))
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(post, BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(200);
    }

    URI controlUri(String path) {
        return URI.create("http://127.0.0.1:" + sidecar.controlAddress().getPort() + path);
    }

    /**
     * Sends no faster than a lane loop turns: what overflows within one of its turns has no whole requests to leave out
     * yet.
     */
    void awaitRoom() {
        awaitStatus("room", s -> control("/v1/status").at("/window/utilisation").asDouble() < 0.85);
    }

    /** Waits until the status says so. */
    JsonNode awaitStatus(String what, Predicate<JsonNode> reached) {
        JsonNode[] last = {status()};
        try {
            await(what).pollInterval(Duration.ofMillis(20)).until(() -> {
                last[0] = status();
                return reached.test(last[0]);
            });
        } catch (ConditionTimeoutException late) {
            throw new AssertionError(what + " not reached: " + last[0].toPrettyString() + verdicts(""), late);
        }
        // what was read before the awaited part may have been older
        return status();
    }

    /** Waits until that many exchanges have a verdict of that kind, and finds no other ones. */
    void awaitVerdicts(String kind, int count) {
        JsonNode status = awaitStatus(count + " verdicts", s -> total(s) >= count);
        assertThat(status.get("verdicts").get(kind).asInt())
                .as(status.toPrettyString() + verdicts(""))
                .isEqualTo(count);
    }

    void awaitNotCompared(String reason, int count) {
        awaitVerdicts("NOT_COMPARED", count);
        assertThat(status().get("notCompared").path(reason).asInt())
                .as(status().toPrettyString())
                .isEqualTo(count);
    }

    static int total(JsonNode status) {
        int total = 0;
        for (JsonNode count : status.get("verdicts")) {
            total += count.asInt();
        }
        return total;
    }

    /** An address on which nobody listens. */
    static InetSocketAddress nobody() throws IOException {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Ports.free());
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        sidecar.close(Duration.ZERO);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address().getPort() + path))
                .timeout(PATIENCE);
    }
}
