package dev.understudy.sidecar.command;

import com.sun.net.httpserver.HttpServer;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.sidecar.Sidecar;
import dev.understudy.sidecar.config.SidecarConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A sidecar with one listener, "shop", between two small HTTP services that answer alike. */
final class RunningSidecar implements AutoCloseable {
    private final HttpServer production = service();
    private final HttpServer debug = service();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Sidecar sidecar;

    private RunningSidecar(Path folder, String token) throws IOException {
        Path settings = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners:
                  - {name: shop, listen: '127.0.0.1:0', production: '127.0.0.1:%d', debug: '127.0.0.1:%d'}
                control: {listen: '127.0.0.1:0', token: '%s'}
                record: {directory: '%s'}
                drain: 100ms
                """.formatted(
                production.getAddress().getPort(), debug.getAddress().getPort(), token, folder.resolve("recordings")));
        Problems problems = new Problems();
        sidecar = Sidecar.start(SidecarConfig.read(settings, new Overrides(Map.of(), List.of(), problems), problems));
    }

    static RunningSidecar open(Path folder, String token) throws IOException {
        return new RunningSidecar(folder, token);
    }

    String controlUrl() {
        return "http://127.0.0.1:" + sidecar.controlAddress().getPort();
    }

    /** Sends a request through the sidecar. */
    int get(String path) throws IOException, InterruptedException {
        int port = sidecar.addresses().values().iterator().next().getPort();
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding())
                .statusCode();
    }

    void stopDebug() {
        debug.stop(0);
    }

    @Override
    public void close() {
        sidecar.close();
        production.stop(0);
        debug.stop(0);
    }

    private static HttpServer service() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            byte[] body = "hello".getBytes(StandardCharsets.UTF_8);
            server.createContext("/", exchange -> {
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            server.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
