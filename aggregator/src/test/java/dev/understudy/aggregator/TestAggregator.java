package dev.understudy.aggregator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.aggregator.config.AggregatorConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** A real aggregator with one upstream called {@code test}, on free ports. */
final class TestAggregator {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private TestAggregator() {}

    static Aggregator open(String protocol, int upstreamPort, String... settings) throws IOException {
        Path file = Files.createTempFile("aggregator", ".yaml");
        try {
            Files.writeString(file, """
                    upstreams:
                      - name: test
                        protocol: %s
                        %s
                    control: { listen: 127.0.0.1:0, anonymous: admin }
                    """.formatted(protocol, String.join("\n    ", lines(upstreamPort, settings))));
            return Aggregator.open(AggregatorConfig.read(file, Map.of(), List.of()));
        } finally {
            Files.delete(file);
        }
    }

    private static List<String> lines(int upstreamPort, String... settings) {
        List<String> lines = new ArrayList<>(List.of(settings));
        if (lines.stream().noneMatch(line -> line.startsWith("production:"))) {
            lines.add("production: { listen: 127.0.0.1:0, upstream: 127.0.0.1:" + upstreamPort + " }");
        }
        if (lines.stream().noneMatch(line -> line.startsWith("debug:"))) {
            lines.add("debug: { listen: 127.0.0.1:0 }");
        }
        return lines;
    }

    /** Waits until so many connections of production's, which are closed, are recorded to their ends. */
    static void awaitRecorded(Aggregator aggregator, int connections) throws Exception {
        String recorded = "\"connections\":" + connections + ",\"open\":0,\"exchanges\"";
        Eventually.await(() -> status(aggregator).contains(recorded));
    }

    /** Waits until the debug side may ask for so many replies. */
    static void awaitUnused(Aggregator aggregator, int replies) throws Exception {
        Eventually.await(() -> status(aggregator).contains("\"unused\":" + replies + ",\"bytes\""));
    }

    /** A number of the debug side's in the status. */
    static long debugCount(Aggregator aggregator, String pointer) throws IOException {
        JsonNode debug = JSON.readTree(status(aggregator)).at("/upstreams/0/debug");
        assertThat(debug.at(pointer).isMissingNode()).isFalse();
        return debug.at(pointer).asLong();
    }

    /** A request with a header {@code X-Key}. */
    static HttpRequest.Builder request(SocketAddress at, String path, String method, String body) {
        URI uri = URI.create("http://127.0.0.1:" + ((InetSocketAddress) at).getPort() + path);
        return HttpRequest.newBuilder(uri)
                .header("X-Key", "k")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    }

    static String status(Aggregator aggregator) {
        return get(aggregator, "/v1/status");
    }

    static String get(Aggregator aggregator, String path) {
        URI uri = URI.create("http://127.0.0.1:" + aggregator.controlAddress().getPort() + path);
        try {
            return CLIENT.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
