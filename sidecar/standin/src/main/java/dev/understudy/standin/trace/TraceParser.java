package dev.understudy.standin.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.understudy.divergence.content.Folding;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Reads JSON that somebody else has written, in the two formats of traces, as a stream. */
final class TraceParser {
    private static final int DEEPEST = 200;
    private static final int LONGEST_NAME = 1_000;
    private static final int LONGEST_REASON = 200;
    private static final int MOST_SERVICES = 1_000;

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxNameLength(LONGEST_NAME)
                    .build())
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .build();

    private TraceParser() {}

    /** What is read of a document. */
    private interface Document {
        void read(JsonParser parser) throws IOException;
    }

    /**
     * Reads traces: one document, one on each line, or an array of them.
     *
     * @param source what it is called in messages
     * @throws IOException that names the source and the line, if it can't be read or isn't JSON
     */
    static void traces(InputStream in, String source, TraceStore store) throws IOException {
        read(in, source, parser -> {
            OtlpTraces otlp = new OtlpTraces(parser, store);
            JaegerTraces jaeger = new JaegerTraces(parser, store);
            JsonFields.fields(parser, name -> {
                switch (name) {
                    case "resourceSpans" -> otlp.read();
                    case "data" -> jaeger.read();
                    case "traceID", "spans" -> throw new IOException("a trace alone (expected: {\"data\":[…]})");
                    default -> {}
                }
            });
        });
    }

    /**
     * The names in the {@code data} of Jaeger's list of services, at most 1,000 of them; throws as {@link #traces}
     * does.
     */
    static List<String> services(InputStream in, String source) throws IOException {
        List<String> services = new ArrayList<>();
        read(
                in,
                source,
                parser -> JsonFields.fields(parser, name -> {
                    if (name.equals("data")) {
                        JsonFields.elements(parser, () -> service(parser, services));
                    }
                }));
        return services;
    }

    private static void service(JsonParser parser, List<String> services) throws IOException {
        String name = JsonFields.text(parser);
        if (!name.isEmpty() && services.size() < MOST_SERVICES) {
            services.add(name);
        }
    }

    private static void read(InputStream in, String source, Document document) throws IOException {
        try (JsonParser parser = begin(in, source)) {
            try {
                documents(parser, document);
            } catch (IOException wrong) {
                throw described(source, parser.currentLocation().getLineNr(), wrong);
            }
        }
    }

    /** It already reads, to see how characters are encoded. */
    private static JsonParser begin(InputStream in, String source) throws IOException {
        try {
            return JSON.createParser(in);
        } catch (IOException wrong) {
            throw described(source, 1, wrong);
        }
    }

    private static void documents(JsonParser parser, Document document) throws IOException {
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            if (token == JsonToken.START_OBJECT) {
                document.read(parser);
            } else if (token != JsonToken.START_ARRAY && token != JsonToken.END_ARRAY) {
                throw new IOException("no object (expected: OTLP/JSON, or what Jaeger's API answers)");
            }
        }
    }

    private static IOException described(String source, int line, IOException wrong) {
        boolean isJson = wrong instanceof JsonProcessingException || wrong instanceof CharConversionException;
        String message = wrong instanceof JsonProcessingException json ? json.getOriginalMessage() : wrong.getMessage();
        String reason = Folding.shortened(String.valueOf(message), LONGEST_REASON);
        return new IOException(
                source + ":" + Math.max(1, line) + ": " + (isJson ? "isn't JSON that can be read: " : "") + reason,
                wrong);
    }
}
