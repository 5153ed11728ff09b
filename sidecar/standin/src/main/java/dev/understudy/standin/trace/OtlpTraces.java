package dev.understudy.standin.trace;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads the {@code resourceSpans} of OTLP/JSON. Confined to one thread. */
final class OtlpTraces {
    private static final String SERVICE = "service.name";

    private final JsonParser parser;
    private final TraceStore store;

    OtlpTraces(JsonParser parser, TraceStore store) {
        this.parser = parser;
        this.store = store;
    }

    /** Reads the array that the parser is at. */
    void read() throws IOException {
        JsonFields.elements(parser, this::resourceSpans);
    }

    /** A resource may come after its spans: those wait for it. */
    private void resourceSpans() throws IOException {
        List<SpanDraft> waiting = new ArrayList<>();
        SpanDraft resource = new SpanDraft();
        JsonFields.fields(parser, name -> {
            switch (name) {
                case "resource" -> resource(resource);
                case "scopeSpans", "instrumentationLibrarySpans" ->
                    JsonFields.elements(parser, () -> scopeSpans(resource, waiting));
                default -> {}
            }
        });
        waiting.forEach(span -> store.add(span, resource.first(SERVICE)));
    }

    private void resource(SpanDraft resource) throws IOException {
        JsonFields.fields(parser, name -> {
            if (name.equals("attributes")) {
                attributes(resource);
            }
        });
    }

    private void scopeSpans(SpanDraft resource, List<SpanDraft> waiting) throws IOException {
        JsonFields.fields(parser, name -> {
            if (name.equals("spans")) {
                JsonFields.elements(parser, () -> span(resource, waiting));
            }
        });
    }

    private void span(SpanDraft resource, List<SpanDraft> waiting) throws IOException {
        if (waiting.size() >= store.room()) {
            store.leaveOut();
            return;
        }
        SpanDraft span = new SpanDraft();
        JsonFields.fields(parser, name -> field(span, name));
        String service = resource.first(SERVICE);
        if (service == null) {
            waiting.add(span);
        } else {
            store.add(span, service);
        }
    }

    private void field(SpanDraft span, String name) throws IOException {
        switch (name) {
            case "traceId" -> span.trace = JsonFields.text(parser);
            case "spanId" -> span.id = JsonFields.text(parser);
            case "parentSpanId" -> span.parent = JsonFields.text(parser);
            case "name" -> span.name = JsonFields.text(parser);
            case "kind" -> span.role = SpanRole.of(JsonFields.text(parser));
            case "startTimeUnixNano" -> span.start = JsonFields.time(parser);
            case "endTimeUnixNano" -> span.end = JsonFields.time(parser);
            case "attributes" -> attributes(span);
            default -> {}
        }
    }

    private void attributes(SpanDraft span) throws IOException {
        JsonFields.elements(parser, () -> attribute(span));
    }

    private void attribute(SpanDraft span) throws IOException {
        String[] pair = {"", ""};
        JsonFields.fields(parser, name -> {
            if (name.equals("key")) {
                pair[0] = JsonFields.text(parser);
            } else if (name.equals("value")) {
                JsonFields.fields(parser, type -> pair[1] = JsonFields.text(parser));
            }
        });
        span.attribute(pair[0], pair[1]);
    }
}
