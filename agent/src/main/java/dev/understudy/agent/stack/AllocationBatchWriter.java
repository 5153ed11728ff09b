package dev.understudy.agent.stack;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.understudy.agent.bootstrap.ExchangeKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.function.LongSupplier;

/** Sampled allocations as JSON for the sidecar. Confined to one thread. */
final class AllocationBatchWriter {
    private final String name;
    private final AllocationSource source;
    private final LongSupplier allocated;
    private final JsonFactory json = new JsonFactory();
    private long before;

    /**
     * Batches under the agent's name.
     *
     * @param allocated how many bytes the JVM's threads have allocated by now, sampled or not; below 0 if it can't tell
     */
    AllocationBatchWriter(String name, AllocationSource source, LongSupplier allocated) {
        this.name = name;
        this.source = source;
        this.allocated = allocated;
        this.before = allocated.getAsLong();
    }

    /** All that was sampled since the last batch; empty if nothing was. */
    byte[] write() throws IOException {
        AllocatedStacks.Batch batch = source.all().take();
        if (batch == null) {
            if (source.isOff()) {
                before = allocated.getAsLong(); // of this none is sampled
            }
            return new byte[0];
        }
        long now = allocated.getAsLong();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(16 * 1024);
        try (JsonGenerator out = json.createGenerator(bytes)) {
            out.writeStartObject();
            out.writeStringField("name", name);
            out.writeNumberField("perSecond", source.perSecond());
            out.writeNumberField("samples", batch.samples);
            out.writeNumberField("bytes", batch.bytes);
            out.writeNumberField("dropped", batch.dropped);
            if (now >= 0) {
                out.writeNumberField("allocated", Math.max(0, now - before));
            }
            out.writeArrayFieldStart("names");
            for (String frame : batch.names) {
                out.writeString(frame);
            }
            out.writeEndArray();
            out.writeArrayFieldStart("stacks");
            for (AllocatedStacks.Stack stack : batch.stacks) {
                out.writeStartObject();
                write(out, stack.whose);
                out.writeNumberField("samples", stack.samples);
                out.writeNumberField("bytes", stack.bytes);
                out.writeFieldName("frames");
                out.writeArray(stack.frames, 0, stack.frames.length);
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeEndObject();
        }
        before = now;
        return bytes.toByteArray();
    }

    /** Nothing if it isn't known. */
    private static void write(JsonGenerator out, Whose whose) throws IOException {
        ExchangeKey exchange = whose.exchange();
        if (exchange != null) {
            StackBatchWriter.write(out, exchange);
        } else if (whose.equals(Whose.NOBODYS)) {
            out.writeStringField("exchange", "none");
        }
    }
}
