package dev.understudy.sidecar.command;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A sidecar with one listener, "shop", between two small HTTP services that answer alike. */
final class RunningSidecar implements AutoCloseable {
    private static final String OPEN = "anonymous: admin";

    private final HttpServer production;
    private final HttpServer debug;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Sidecar sidecar;

    private RunningSidecar(
            Path folder, String control, String noiseRules, String more, HttpServer production, HttpServer debug)
            throws IOException {
        this.production = production;
        this.debug = debug;
        Path settings = Files.writeString(folder.resolve("sidecar.yaml"), """
                listeners:
                  - {name: shop, listen: '127.0.0.1:0', production: '127.0.0.1:%d', debug: '127.0.0.1:%d'}
                control: {listen: '127.0.0.1:0', %s}
                record: {directory: '%s'}
                comparison: {noise-rules: '%s'}
                %s
                """.formatted(
                        production.getAddress().getPort(),
                        debug.getAddress().getPort(),
                        control,
                        folder.resolve("recordings"),
                        noiseRules,
                        more));
        Problems problems = new Problems();
        sidecar = Sidecar.start(SidecarConfig.read(settings, new Overrides(Map.of(), List.of(), problems), problems));
    }

    /** One that makes tokens of its own. */
    static RunningSidecar guarded(Path folder) throws IOException {
        return new RunningSidecar(
                folder, "anonymous: none", "", "", service(RunningSidecar::hello), service(RunningSidecar::hello));
    }

    static RunningSidecar open(Path folder, String token) throws IOException {
        return new RunningSidecar(
                folder,
                token.isEmpty() ? OPEN : "token: '" + token + "'",
                "",
                "",
                service(RunningSidecar::hello),
                service(RunningSidecar::hello));
    }

    /** One whose control port everybody here may use who gets through its TLS. */
    static RunningSidecar withTls(Path folder, String tls) throws IOException {
        return new RunningSidecar(
                folder,
                OPEN + ", tls: {" + tls + "}",
                "",
                "",
                service(RunningSidecar::hello),
                service(RunningSidecar::hello));
    }

    /** One whose agents share its methods. */
    static RunningSidecar sharing(Path folder) throws IOException {
        return new RunningSidecar(
                folder, OPEN, "", "probes: shared", service(RunningSidecar::hello), service(RunningSidecar::hello));
    }

    /** One that can bring its debug service back into step, by what is set under {@code resync}. */
    static RunningSidecar resyncing(Path folder, String resync) throws IOException {
        return new RunningSidecar(
                folder,
                OPEN,
                "",
                "resync: {" + resync + "}",
                service(RunningSidecar::hello),
                service(RunningSidecar::hello));
    }

    /** One with the operator's rules of what fails, and services that answer each path with a JSON text. */
    static RunningSidecar labelling(Path folder, String rule, UnaryOperator<String> texts) throws IOException {
        return new RunningSidecar(
                folder, OPEN, "", "suspects: {also: ['" + rule + "']}", service(json(texts)), service(json(texts)));
    }

    /** One with these services. */
    static RunningSidecar answering(Path folder, HttpHandler production, HttpHandler debug) throws IOException {
        return new RunningSidecar(folder, OPEN, "", "", service(production), service(debug));
    }

    /** One whose services answer each path with a JSON text of their own. */
    static RunningSidecar open(Path folder, UnaryOperator<String> production, UnaryOperator<String> debug)
            throws IOException {
        return open(folder, "", production, debug);
    }

    /** One with a file of noise rules; "" for none. */
    static RunningSidecar open(
            Path folder, String noiseRules, UnaryOperator<String> production, UnaryOperator<String> debug)
            throws IOException {
        return new RunningSidecar(folder, OPEN, noiseRules, "", service(json(production)), service(json(debug)));
    }

    String controlUrl() {
        return "http://127.0.0.1:" + sidecar.controlAddress().getPort();
    }

    /** Where clients connect. */
    int port() {
        return sidecar.addresses().values().iterator().next().getPort();
    }

    /** Sends a request through the sidecar. */
    int get(String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port() + path);
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding())
                .statusCode();
    }

    /** What Prometheus would be told. */
    String metrics() throws IOException, InterruptedException {
        URI uri = URI.create(controlUrl() + "/metrics");
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .body();
    }

    void stopDebug() {
        debug.stop(0);
    }

    @Override
    public void close() {
        sidecar.close(Duration.ZERO);
        production.stop(0);
        debug.stop(0);
    }

    private static HttpServer service(HttpHandler answer) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", answer);
            server.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void hello(HttpExchange exchange) throws IOException {
        reply(exchange, "hello");
    }

    private static HttpHandler json(UnaryOperator<String> answers) {
        return exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            reply(exchange, answers.apply(exchange.getRequestURI().toString()));
        };
    }

    private static void reply(HttpExchange exchange, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
