package dev.understudy.standin.trace;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the {@code data} of Jaeger's HTTP API: traces with their spans and processes. Confined to one thread. */
final class JaegerTraces {
    private static final long NANOS_PER_MICRO = 1_000;
    /** Far from what a number holds, so that a start and a duration can be added. */
    private static final long MOST_MICROS = Long.MAX_VALUE / NANOS_PER_MICRO / 2;

    private final JsonParser parser;
    private final TraceStore store;

    JaegerTraces(JsonParser parser, TraceStore store) {
        this.parser = parser;
        this.store = store;
    }

    /** Reads the array that the parser is at. */
    void read() throws IOException {
        JsonFields.elements(parser, this::trace);
    }

    /** Jaeger writes the processes after the spans that name them. */
    private void trace() throws IOException {
        List<SpanDraft> spans = new ArrayList<>();
        Map<String, String> services = new HashMap<>();
        String[] id = {""};
        JsonFields.fields(parser, name -> {
            switch (name) {
                case "traceID" -> id[0] = JsonFields.text(parser);
                case "spans" -> JsonFields.elements(parser, () -> span(spans));
                case "processes" -> JsonFields.fields(parser, key -> process(key, services));
                default -> {}
            }
        });
        for (SpanDraft span : spans) {
            span.trace = span.trace.isEmpty() ? id[0] : span.trace;
            store.add(span, services.get(span.process));
        }
    }

    private void process(String key, Map<String, String> services) throws IOException {
        JsonFields.fields(parser, name -> {
            if (name.equals("serviceName")) {
                services.put(key, JsonFields.text(parser));
            }
        });
    }

    private void span(List<SpanDraft> spans) throws IOException {
        if (spans.size() >= store.room()) {
            store.leaveOut();
            return;
        }
        SpanDraft span = new SpanDraft();
        long[] duration = {0};
        JsonFields.fields(parser, name -> {
            if (name.equals("duration")) {
                duration[0] = micros();
            } else {
                field(span, name);
            }
        });
        span.end = span.start < 0 || duration[0] < 0 ? -1 : span.start + duration[0];
        spans.add(span);
    }

    private void field(SpanDraft span, String name) throws IOException {
        switch (name) {
            case "traceID" -> span.trace = JsonFields.text(parser);
            case "spanID" -> span.id = JsonFields.text(parser);
            case "parentSpanID" -> span.parent = JsonFields.text(parser);
            case "operationName" -> span.name = JsonFields.text(parser);
            case "startTime" -> span.start = micros();
            case "processID" -> span.process = JsonFields.text(parser);
            case "references" -> JsonFields.elements(parser, () -> reference(span));
            case "tags" -> JsonFields.elements(parser, () -> tag(span));
            default -> {}
        }
    }

    /** What it is a child of is its parent; what it only follows is so if there is nothing else. */
    private void reference(SpanDraft span) throws IOException {
        String[] reference = {"", ""};
        JsonFields.fields(parser, name -> {
            if (name.equals("refType")) {
                reference[0] = JsonFields.text(parser);
            } else if (name.equals("spanID")) {
                reference[1] = JsonFields.text(parser);
            }
        });
        if (span.parent.isEmpty() || reference[0].equals("CHILD_OF")) {
            span.parent = reference[1];
        }
    }

    private void tag(SpanDraft span) throws IOException {
        String[] tag = {"", ""};
        JsonFields.fields(parser, name -> {
            if (name.equals("key")) {
                tag[0] = JsonFields.text(parser);
            } else if (name.equals("value")) {
                tag[1] = JsonFields.text(parser);
            }
        });
        if (tag[0].equals("span.kind")) {
            span.role = SpanRole.of(tag[1]);
        } else {
            span.attribute(tag[0], tag[1]);
        }
    }

    /** A time in nanoseconds that stands in microseconds here; -1 if it is none. */
    private long micros() throws IOException {
        long micros = JsonFields.time(parser);
        return micros < 0 || micros > MOST_MICROS ? -1 : micros * NANOS_PER_MICRO;
    }
}
