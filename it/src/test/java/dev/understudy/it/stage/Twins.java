package dev.understudy.it.stage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.awaitility.Awaitility.await;

/**
 * A service twice, in production and in debug, whose every request makes the same call, or those that its headers list
 * for either, and passes on what it got; the upstream, which answers each call with another number; and
 * {@code ./understudy aggregator} between them.
 */
public final class Twins implements AutoCloseable {
    /** Lists the paths that production calls, with commas between them. */
    public static final String PRODUCTION_CALLS = "X-Production-Calls";

    /** The same for debug. */
    public static final String DEBUG_CALLS = "X-Debug-Calls";

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Pattern READY = Pattern.compile(
            "ready: numbers production=127\\.0\\.0\\.1:(\\d+) debug=127\\.0\\.0\\.1:(\\d+), control=(\\S+)");

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicInteger number = new AtomicInteger();
    private final HttpServer upstream;
    private final HttpServer production;
    private final HttpServer debug;
    private final Child aggregator;
    private final URI control;

    /** What a server does with a request before it goes on. */
    @FunctionalInterface
    public interface Pause {
        void before(HttpExchange request) throws Exception;
    }

    /**
     * Starts all of it, on ports of its own.
     *
     * @param atUpstream what the upstream does before it answers
     * @param atDebug what the debug copy does before it makes its call
     */
    public Twins(Path folder, Pause atUpstream, Pause atDebug) throws IOException {
        upstream = serve(request -> {
            String next = Integer.toString(number.incrementAndGet());
            atUpstream.before(request);
            return next;
        });
        Path settings = Files.writeString(folder.resolve("aggregator.yaml"), """
                upstreams:
                  - name: numbers
                    protocol: http
                    production: { listen: 127.0.0.1:0, upstream: 127.0.0.1:%d }
                    debug: { listen: 127.0.0.1:0 }
                control: { listen: 127.0.0.1:0, anonymous: admin }
                drain: 100ms
                """.formatted(
                        upstream.getAddress().getPort()));
        aggregator = Child.start(
                folder.resolve("aggregator.log"),
                List.of("./understudy", "aggregator", "--config", settings.toString()));
        await("aggregator")
                .atMost(PATIENCE)
                .until(() -> aggregator.output().contains("ready:")
                        || !aggregator.process().isAlive());
        Matcher ready = READY.matcher(aggregator.output());
        if (!ready.find()) {
            throw new IllegalStateException(aggregator.output());
        }
        control = URI.create("http://" + ready.group(3));
        production = serve(request -> calls(request, PRODUCTION_CALLS, ready.group(1)));
        debug = serve(request -> {
            atDebug.before(request);
            return calls(request, DEBUG_CALLS, ready.group(2));
        });
    }

    public int production() {
        return production.getAddress().getPort();
    }

    public int debug() {
        return debug.getAddress().getPort();
    }

    /** The aggregator's control port. */
    public String control() {
        return control.toString();
    }

    /** The aggregator's status. */
    public JsonNode status() throws IOException, InterruptedException {
        return read("/v1/status");
    }

    /** A document of the aggregator's control port. */
    public JsonNode read(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(control.resolve(path)).build();
        return new ObjectMapper()
                .readTree(client.send(request, BodyHandlers.ofString()).body());
    }

    private String calls(HttpExchange request, String header, String port) throws IOException, InterruptedException {
        StringBuilder got = new StringBuilder();
        String paths = request.getRequestHeaders().getFirst(header);
        for (String path : paths == null ? new String[] {"/next"} : paths.split(",", -1)) {
            got.append(call(request, port, path));
        }
        return got.toString();
    }

    private String call(HttpExchange request, String port, String path) throws IOException, InterruptedException {
        HttpRequest.Builder call = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        String trace = request.getRequestHeaders().getFirst("traceparent");
        if (trace != null) {
            call.header("traceparent", trace);
        }
        return client.send(call.build(), BodyHandlers.ofString()).body();
    }

    private HttpServer serve(Answer answer) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", request -> {
            byte[] body;
            try {
                body = answer.to(request).getBytes(StandardCharsets.UTF_8);
            } catch (Exception failed) {
                body = failed.toString().getBytes(StandardCharsets.UTF_8);
            }
            request.sendResponseHeaders(200, body.length);
            request.getResponseBody().write(body);
            request.close();
        });
        server.start();
        return server;
    }

    @Override
    public void close() {
        aggregator.process().destroy();
        aggregator.process().onExit().join();
        aggregator.close();
        List.of(upstream, production, debug).forEach(server -> server.stop(0));
        threads.shutdownNow();
    }

    @FunctionalInterface
    private interface Answer {
        String to(HttpExchange request) throws Exception;
    }
}
