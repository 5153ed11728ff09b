package dev.understudy.sidecar;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.control.ControlConfig;
import dev.understudy.relay.control.ControlServer;
import dev.understudy.relay.control.Routes;
import dev.understudy.relay.control.access.AccessConfig;
import dev.understudy.relay.control.access.AccessToken;
import dev.understudy.relay.control.access.Role;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;

/** A control port with some routes, and its callers: one who may read, and one who may operate. */
public final class RolePort implements AutoCloseable {
    private final HttpClient client = HttpClient.newHttpClient();
    private final ControlServer server;

    /** Opens it. */
    public RolePort(Routes routes) throws IOException {
        AccessConfig access = new AccessConfig(
                List.of(
                        new AccessToken("reader", Role.READ, "t-read"),
                        new AccessToken("ann", Role.OPERATE, "t-operate")),
                null);
        server = ControlServer.open(new ControlConfig(new InetSocketAddress("127.0.0.1", 0), access), routes);
    }

    /**
     * Calls it.
     *
     * @param role {@code read} or {@code operate}
     * @param json the body; "" for none
     */
    public HttpResponse<String> send(String method, String path, String role, String json) throws Exception {
        return client.send(request(method, path, role, json), BodyHandlers.ofString());
    }

    /** The same, without waiting for the reply. */
    public CompletableFuture<HttpResponse<String>> start(String method, String path, String role) {
        return client.sendAsync(request(method, path, role, ""), BodyHandlers.ofString());
    }

    /** What is answered 200. */
    public JsonNode json(String method, String path, String role, String json) throws Exception {
        HttpResponse<String> reply = send(method, path, role, json);
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
        return new ObjectMapper().readTree(reply.body());
    }

    @Override
    public void close() {
        server.close();
    }

    private HttpRequest request(String method, String path, String role, String json) {
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.address().getPort() + path))
                .header("Authorization", "Bearer t-" + role)
                .header("Content-Type", "application/json")
                .method(method, json.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(json))
                .build();
    }
}
