package dev.understudy.session.outcome;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;

/** A session's outcome as one span with an event for each suspect, in OTLP's JSON. Stateless. */
public final class OutcomeTrace {
    private static final int TRACE_BYTES = 16;
    private static final int SPAN_BYTES = 8;
    private static final SecureRandom RANDOM = new SecureRandom();

    private OutcomeTrace() {}

    /** A new trace's id, 32 hexadecimal digits. */
    public static String id() {
        return random(TRACE_BYTES);
    }

    /** The request of {@code /v1/traces}. */
    static ObjectNode request(SessionFindings findings) {
        ObjectNode request = new ObjectMapper().createObjectNode();
        ObjectNode resource = request.putArray("resourceSpans").addObject();
        put(resource.putObject("resource").putArray("attributes"), "service.name", "understudy-session");
        ObjectNode scope = resource.putArray("scopeSpans").addObject();
        scope.putObject("scope").put("name", "dev.understudy.session");
        ObjectNode span = scope.putArray("spans").addObject();
        span.put("traceId", findings.trace())
                .put("spanId", random(SPAN_BYTES))
                .put("name", findings.cause().isEmpty() ? "debug session" : "debug session: " + findings.cause())
                .put("kind", 1)
                .put("startTimeUnixNano", nanos(findings.begun()))
                .put("endTimeUnixNano", nanos(findings.ended()));
        ArrayNode attributes = span.putArray("attributes");
        put(attributes, "understudy.session", findings.session());
        put(attributes, "understudy.target", findings.target());
        put(attributes, "understudy.copy", findings.copy());
        put(attributes, "understudy.rule", findings.cause());
        put(attributes, "understudy.report", findings.report().toString());
        ArrayNode events = span.putArray("events");
        for (JsonNode each : findings.document().path("suspects")) {
            ObjectNode event = events.addObject()
                    .put("timeUnixNano", nanos(findings.ended()))
                    .put("name", "suspect");
            ArrayNode about = event.putArray("attributes");
            put(about, "understudy.rank", each.path("rank").asText());
            put(about, "understudy.method", each.path("method").asText());
            put(about, "understudy.predicate", each.path("predicate").asText());
        }
        if (findings.code() != 0) {
            span.putObject("status").put("code", 2).put("message", "a rule of the report holds");
        }
        return request;
    }

    private static void put(ArrayNode attributes, String key, String value) {
        attributes.addObject().put("key", key).putObject("value").put("stringValue", value);
    }

    private static String nanos(Instant at) {
        return Long.toString(at.getEpochSecond() * 1_000_000_000L + at.getNano());
    }

    private static String random(int length) {
        byte[] bytes = new byte[length];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
