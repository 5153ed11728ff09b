package dev.understudy.testing.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the control ports of a sidecar and of its aggregator.
 *
 * <p>Safe for any thread. Each method makes one or two calls that take at most ten seconds. It throws {@link
 * UncheckedIOException} if a program doesn't answer.
 */
public final class UnderstudyClient {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** As many as the control ports give at once. */
    private static final int MOST_VERDICTS = 10_000;

    private static final int MOST_MISSES = 1_000;

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final ObjectMapper mapper = new ObjectMapper();
    private final URI sidecar;
    private final @Nullable URI aggregator;
    private final String token;

    /**
     * Calls nothing yet.
     *
     * @param sidecar the sidecar's control port, such as {@code http://127.0.0.1:9090}
     * @param aggregator the aggregator's; null if there is none
     * @param token what both want from callers
     */
    public UnderstudyClient(URI sidecar, @Nullable URI aggregator, String token) {
        this.sidecar = sidecar;
        this.aggregator = aggregator;
        this.token = token;
    }

    /** The counters now. */
    public ComparisonCounts status() {
        JsonNode status = sidecar("/v1/status");
        JsonNode listener = status.at("/listeners/0");
        Map<String, Long> lost = new TreeMap<>();
        listener.path("losses")
                .properties()
                .forEach(loss ->
                        lost.put(loss.getKey(), loss.getValue().path("events").asLong()));
        JsonNode bytes = listener.path("bytes");
        Map<String, Long> calls = counts(status.at("/outgoing/0"));
        long missed = 0;
        if (aggregator != null) {
            for (JsonNode upstream : aggregator("/v1/status").path("upstreams")) {
                missed += upstream.at("/debug/missed").asLong();
            }
        }
        return new ComparisonCounts(
                listener.at("/exchanges/production").asLong(),
                counts(listener.path("verdicts")),
                lost,
                status.at("/window/pending").asLong(),
                bytes.path("request").asLong() == bytes.path("teed").asLong(),
                aggregator == null ? Map.of() : calls,
                missed);
    }

    /** The newest verdicts of all kinds, newest first, 10 000 of each kind at most. */
    public List<ExchangeVerdict> verdicts() {
        return verdicts("");
    }

    /** Those of them that are {@code DIFFERENT}. */
    public List<ExchangeVerdict> divergences() {
        return verdicts("&kind=DIFFERENT");
    }

    /** Those of them that were {@code NOT_COMPARED}. */
    public List<ExchangeVerdict> notCompared() {
        return verdicts("&kind=NOT_COMPARED");
    }

    /** The newest upstream calls of debug without a recorded reply, newest first, 1 000 at most. */
    public List<MissedCall> misses() {
        List<MissedCall> misses = new ArrayList<>();
        if (aggregator != null) {
            for (JsonNode miss : aggregator("/v1/misses?limit=" + MOST_MISSES).path("misses")) {
                List<String> nearest = new ArrayList<>();
                miss.path("nearest").forEach(form -> nearest.add(form.asText()));
                misses.add(new MissedCall(
                        miss.path("upstream").asText(),
                        miss.path("form").asText(),
                        miss.path("why").asText(),
                        nearest));
            }
        }
        return misses;
    }

    /**
     * A document of the sidecar's control port as it is, such as {@code /v1/report}.
     *
     * @param path begins with a slash
     */
    public JsonNode sidecar(String path) {
        return read(sidecar, path);
    }

    /**
     * A document of the aggregator's control port as it is, such as {@code /v1/matches}.
     *
     * @param path begins with a slash
     * @throws IllegalStateException if there is no aggregator, since no upstream was named
     */
    public JsonNode aggregator(String path) {
        if (aggregator == null) {
            throw new IllegalStateException("there is no aggregator (expected: an environment with an upstream)");
        }
        return read(aggregator, path);
    }

    private List<ExchangeVerdict> verdicts(String filter) {
        List<ExchangeVerdict> verdicts = new ArrayList<>();
        for (JsonNode verdict :
                sidecar("/v1/verdicts?limit=" + MOST_VERDICTS + filter).path("verdicts")) {
            verdicts.add(new ExchangeVerdict(
                    verdict.path("exchange").asLong(),
                    verdict.path("request").asText(),
                    verdict.path("kind").asText(),
                    text(verdict.path("reason")),
                    differences(verdict),
                    calls(verdict)));
        }
        return verdicts;
    }

    private static List<ValueDifference> differences(JsonNode verdict) {
        List<ValueDifference> differences = new ArrayList<>();
        for (JsonNode one : verdict.path("differences")) {
            if (text(one.path("noise")) == null) {
                differences.add(new ValueDifference(
                        one.path("path").asText(),
                        one.path("type").asText(),
                        text(one.path("production")),
                        text(one.path("debug"))));
            }
        }
        return differences;
    }

    private static List<CallChange> calls(JsonNode verdict) {
        List<CallChange> calls = new ArrayList<>();
        for (JsonNode one : verdict.at("/outgoing/differences")) {
            calls.add(new CallChange(
                    one.path("kind").asText(),
                    one.path("upstream").asText(),
                    text(one.path("production")),
                    text(one.path("debug"))));
        }
        return calls;
    }

    private static Map<String, Long> counts(JsonNode object) {
        Map<String, Long> counts = new TreeMap<>();
        object.properties().forEach(entry -> {
            if (entry.getValue().isNumber()) {
                counts.put(entry.getKey(), entry.getValue().asLong());
            }
        });
        return counts;
    }

    private static @Nullable String text(JsonNode node) {
        return node.isTextual() ? node.asText() : null;
    }

    private JsonNode read(URI control, String path) {
        HttpRequest request = HttpRequest.newBuilder(control.resolve(path))
                .timeout(PATIENCE)
                .header("Authorization", "Bearer " + token)
                .build();
        try {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IOException(request.uri() + ": " + response.statusCode() + " " + response.body());
            }
            return mapper.readTree(response.body());
        } catch (IOException failed) {
            throw new UncheckedIOException(request.uri() + ": " + failed, failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(request.uri() + ": interrupted", stopped);
        }
    }
}
