package dev.understudy.agent.execution;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.understudy.agent.bootstrap.ExecutionRecorder.End;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** What was recorded of one execution, as JSON for the sidecar. Confined to one thread. */
public final class ExecutionBatch {
    private static final int MOST_TRIES = 5;

    private final String name;
    private final ExecutionOrder order;
    private final JsonFactory json = new JsonFactory();
    private byte[] batch = {};
    private int tries;

    /** Batches under the agent's name. */
    public ExecutionBatch(String name, ExecutionOrder order) {
        this.name = name;
        this.order = order;
    }

    /** The next execution that is over, or the last one again if it wasn't taken; empty if there is none. */
    public byte[] write() throws IOException {
        ExecutionLog log = order.log();
        if (batch.length > 0 || log == null) {
            return batch;
        }
        for (ExecutionTrace execution : log.over(System.nanoTime())) {
            log.end(execution);
            batch = write(execution, log);
            return batch;
        }
        return batch;
    }

    /** Whether the last batch was taken; one that isn't taken again and again is lost. */
    public void taken(boolean taken) {
        if (taken || ++tries >= MOST_TRIES) {
            batch = new byte[0];
            tries = 0;
        }
    }

    private byte[] write(ExecutionTrace execution, ExecutionLog log) throws IOException {
        Map<Integer, Integer> places = new LinkedHashMap<>();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(64 * 1024);
        try (JsonGenerator out = json.createGenerator(bytes)) {
            out.writeStartObject();
            out.writeStringField("name", name);
            out.writeStringField("trace", execution.trace);
            out.writeNumberField("left", execution.left());
            out.writeArrayFieldStart("threads");
            for (ExecutionTrace.Lane thread : execution.threads()) {
                out.writeStartObject();
                out.writeStringField("name", thread.name);
                out.writeArrayFieldStart("events");
                for (ExecutionTrace.Event event : thread.events) {
                    write(out, event, places);
                }
                out.writeEndArray();
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeArrayFieldStart("methods");
            for (int method : places.keySet()) {
                out.writeString(log.label(method));
            }
            out.writeEndArray();
            out.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator out, ExecutionTrace.Event event, Map<Integer, Integer> places)
            throws IOException {
        out.writeStartArray();
        out.writeString(event.how == null ? "e" : event.how == End.THREW ? "t" : "r");
        out.writeNumber(places.computeIfAbsent(event.method, first -> places.size()));
        for (String text : event.texts) {
            out.writeString(text);
        }
        out.writeEndArray();
    }
}
