package dev.understudy.standin.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Spans as OTLP and as Jaeger write them. Times are in microseconds. */
public final class TraceText {
    private static final long BEGIN = 1_700_000_000_000_000L;

    private final Map<String, ArrayNode> otlp = new LinkedHashMap<>();
    private final Map<String, ObjectNode> jaeger = new LinkedHashMap<>();

    /** A store that holds so many spans. */
    public static TraceStore store(int most) {
        return new TraceStore(most);
    }

    /** Reads a file's bytes, called {@code x.json}. */
    public static void read(byte[] text, TraceStore store) throws IOException {
        TraceParser.traces(new ByteArrayInputStream(text), "x.json", store);
    }

    /** Adds a span; attributes are names and values in turn. */
    public TraceText span(
            String trace, String id, String parent, String service, String kind, long start, long end, String... more) {
        ObjectNode span = otlp.computeIfAbsent(service, first -> JsonNodeFactory.instance.arrayNode())
                .addObject()
                .put("traceId", trace)
                .put("spanId", id)
                .put("parentSpanId", parent)
                .put("name", more[0])
                .put("kind", "SPAN_KIND_" + kind)
                .put("startTimeUnixNano", (BEGIN + start) + "000")
                .put("endTimeUnixNano", (BEGIN + end) + "000");
        ArrayNode attributes = span.putArray("attributes");
        ObjectNode other = jaegerSpan(trace, service).put("spanID", id).put("operationName", more[0]);
        other.put("startTime", BEGIN + start).put("duration", end - start);
        if (!parent.isEmpty()) {
            other.putArray("references").addObject().put("refType", "CHILD_OF").put("spanID", parent);
        }
        ArrayNode tags = other.putArray("tags");
        tags.addObject().put("key", "span.kind").put("type", "string").put("value", kind.toLowerCase(Locale.ROOT));
        for (int i = 1; i < more.length; i += 2) {
            attributes.addObject().put("key", more[i]).putObject("value").put("stringValue", more[i + 1]);
            tags.addObject().put("key", more[i]).put("type", "string").put("value", more[i + 1]);
        }
        return this;
    }

    private ObjectNode jaegerSpan(String trace, String service) {
        ObjectNode all = jaeger.computeIfAbsent(trace, first -> {
            ObjectNode made = JsonNodeFactory.instance.objectNode().put("traceID", trace);
            made.putArray("spans");
            made.putObject("processes");
            return made;
        });
        ((ObjectNode) all.get("processes"))
                .putObject("p-" + service)
                .put("serviceName", service)
                .putArray("tags");
        return ((ArrayNode) all.get("spans")).addObject().put("traceID", trace).put("processID", "p-" + service);
    }

    /** A line of OTLP/JSON for each service. */
    public String otlp() {
        StringBuilder lines = new StringBuilder();
        otlp.forEach((service, spans) -> lines.append(resource(service, spans)).append('\n'));
        return lines.toString();
    }

    private static JsonNode resource(String service, ArrayNode spans) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ObjectNode resource = document.putArray("resourceSpans").addObject();
        resource.putObject("resource")
                .putArray("attributes")
                .addObject()
                .put("key", "service.name")
                .putObject("value")
                .put("stringValue", service);
        resource.putArray("scopeSpans").addObject().set("spans", spans);
        return document;
    }

    /** What Jaeger's API answers. */
    public String jaeger() {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        ArrayNode data = document.putArray("data");
        jaeger.values().forEach(data::add);
        return document.put("total", 0).putNull("errors").toString();
    }

    /**
     * So many requests of a shop: each asks for stock twice at once and then the database; every other one asks orders
     * first.
     */
    public static TraceText shop(int requests) {
        TraceText text = new TraceText();
        for (int n = 1; n <= requests; n++) {
            String trace = String.format("%032x", n);
            text.span(
                    trace,
                    "a1",
                    "",
                    "shop",
                    "SERVER",
                    0,
                    40_000,
                    "GET",
                    "http.request.method",
                    "GET",
                    "url.path",
                    "/cart/" + n + "?all");
            if (n % 2 == 0) {
                text.span(trace, "b1", "a1", "shop", "CLIENT", 1_000, 9_000, "POST");
                text.span(
                        trace,
                        "b2",
                        "b1",
                        "orders",
                        "SERVER",
                        2_000,
                        8_000,
                        "POST /orders",
                        "http.request.method",
                        "POST",
                        "http.route",
                        "/orders");
            }
            for (int item = 0; item < 2; item++) {
                String id = "c" + item;
                text.span(trace, id, "a1", "shop", "CLIENT", 10_000 + item, 20_000 + item, "GET");
                text.span(
                        trace,
                        "d" + item,
                        id,
                        "stock",
                        "SERVER",
                        11_000,
                        19_000,
                        "GET /items/{sku}",
                        "http.request.method",
                        "GET",
                        "http.route",
                        "/items/{sku}");
            }
            text.span(
                    trace,
                    "e1",
                    "a1",
                    "shop",
                    "CLIENT",
                    21_000,
                    31_000,
                    "SELECT carts",
                    "db.system",
                    "postgresql",
                    "db.operation",
                    "SELECT",
                    "db.sql.table",
                    "carts",
                    "server.address",
                    "db1");
        }
        return text;
    }
}
