package dev.understudy.agent.stack;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.understudy.agent.bootstrap.ExchangeKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** Stacks as JSON for the sidecar, which knows the routes of their exchanges. Confined to one thread. */
public final class StackBatchWriter {
    private final String name;
    private final StackSampler sampler;
    private final JsonFactory json = new JsonFactory();

    /** Batches under the agent's name. */
    public StackBatchWriter(String name, StackSampler sampler) {
        this.name = name;
        this.sampler = sampler;
    }

    /** All that was taken since the last batch; empty if nothing was. */
    public byte[] write() throws IOException {
        TakenStacks.Batch batch = sampler.all().take();
        if (batch.stacks.isEmpty()) {
            return new byte[0];
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(16 * 1024);
        try (JsonGenerator out = json.createGenerator(bytes)) {
            out.writeStartObject();
            out.writeStringField("name", name);
            out.writeArrayFieldStart("names");
            for (String frame : batch.names) {
                out.writeString(frame);
            }
            out.writeEndArray();
            out.writeArrayFieldStart("stacks");
            for (TakenStacks.Taken taken : batch.stacks) {
                write(out, taken);
            }
            out.writeEndArray();
            out.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator out, TakenStacks.Taken taken) throws IOException {
        out.writeStartObject();
        write(out, taken.exchange);
        out.writeFieldName("frames");
        out.writeArray(taken.frames, 0, taken.frames.length);
        out.writeEndObject();
    }

    /** By what the sidecar knows it; nothing if it knows it by nothing. */
    static void write(JsonGenerator out, ExchangeKey exchange) throws IOException {
        String span = exchange.span();
        if (!span.isEmpty()) {
            out.writeStringField("span", span);
        } else if (exchange.port() > 0) {
            out.writeNumberField("port", exchange.port());
            out.writeNumberField("from", exchange.from());
        }
    }
}
