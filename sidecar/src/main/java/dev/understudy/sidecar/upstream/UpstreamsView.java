package dev.understudy.sidecar.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.understudy.relay.control.Call;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code GET /v1/upstreams}: what the debug JVM asked of upstreams, and what it got, as the aggregator tells it.
 *
 * <p>It answers with what was read last, and never waits for the aggregator.
 */
public final class UpstreamsView {
    private static final Set<String> OUTCOMES =
            Set.of("REPLAYED", "REPEATED", "BACKGROUND", "STUBBED", "LIVE", "STANDIN", "FAULT", "MISSED");
    private static final int USUAL = 50;
    private static final int MOST = 100;

    /** More than an aggregator takes. */
    private static final int MOST_FAULTS = 1_000;

    private final AggregatorReader reader;

    public UpstreamsView(AggregatorReader reader) {
        this.reader = reader;
    }

    /**
     * The document.
     *
     * @throws IllegalArgumentException if a parameter is out of range
     */
    public Map<String, Object> read(Call call) {
        String upstream = call.parameter("upstream", "");
        long exchange = call.whole("exchange", 0);
        String outcome = call.parameter("outcome", "");
        if (!outcome.isEmpty() && !OUTCOMES.contains(outcome)) {
            throw new IllegalArgumentException("outcome: " + outcome + " (expected: one of "
                    + OUTCOMES.stream().sorted().toList() + ")");
        }
        int limit = call.number("limit", USUAL, 1, MOST);
        UpstreamCalls calls = reader.latest();
        JsonNode newest = outcome.equals("MISSED") ? calls.missed() : calls.matches();
        if (exchange != 0) {
            newest = of(newest, exchange);
        }
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("state", calls.state().name());
        seen.put("url", reader.url());
        seen.put("problem", calls.problem());
        seen.put("upstreams", some(calls.status().path("upstreams"), "", "", MOST));
        seen.put("calls", some(newest, upstream, outcome, limit));
        seen.put("misses", some(calls.missed(), upstream, "", limit));
        seen.put("kinds", some(calls.kinds(), upstream, "", limit));
        seen.put("recorded", some(calls.recorded(), upstream, "", limit));
        seen.put("faults", some(calls.faults(), "", "", MOST_FAULTS));
        return seen;
    }

    /** Those that were made while the debug JVM served that exchange. */
    private static JsonNode of(JsonNode calls, long exchange) {
        ArrayNode those = JsonNodeFactory.instance.arrayNode();
        for (JsonNode call : calls) {
            if (call.path("inbound").asLong() == exchange) {
                those.add(call);
            }
        }
        return those;
    }

    private static List<JsonNode> some(JsonNode all, String upstream, String outcome, int limit) {
        List<JsonNode> some = new ArrayList<>();
        for (JsonNode one : all) {
            if (some.size() < limit
                    && (upstream.isEmpty() || one.path("upstream").asText().equals(upstream))
                    && (outcome.isEmpty() || one.path("outcome").asText().equals(outcome))) {
                some.add(one);
            }
        }
        return some;
    }
}
