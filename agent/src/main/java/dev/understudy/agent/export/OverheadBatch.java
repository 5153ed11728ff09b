package dev.understudy.agent.export;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.understudy.agent.bootstrap.OverheadMeter;
import dev.understudy.agent.bootstrap.ServedExchanges;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/**
 * What the agent took of some exchanges' time, as JSON for the sidecar, which knows their routes; of some
 * {@value #WANTED} from one batch to the next. Confined to one thread.
 */
public final class OverheadBatch {
    private static final int WANTED = 200;

    private final String name;
    private final JsonFactory json = new JsonFactory();
    private long begun;

    /** Batches under the agent's name. */
    public OverheadBatch(String name) {
        this.name = name;
        OverheadMeter.allow(1);
    }

    /** All there is; empty if there is nothing. */
    public byte[] write() throws IOException {
        long begunNow = ServedExchanges.begun();
        OverheadMeter.allow((int) Math.max(1, Math.min(Integer.MAX_VALUE, (begunNow - begun) / WANTED)));
        begun = begunNow;
        OverheadMeter.Overhead overhead = OverheadMeter.poll();
        if (overhead == null) {
            return new byte[0];
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(16 * 1024);
        try (JsonGenerator out = json.createGenerator(bytes)) {
            out.writeStartObject();
            out.writeStringField("name", name);
            out.writeArrayFieldStart("exchanges");
            for (; overhead != null; overhead = OverheadMeter.poll()) {
                out.writeStartObject();
                out.writeStringField("span", overhead.span());
                out.writeNumberField("nanos", overhead.nanos());
                out.writeEndObject();
            }
            out.writeEndArray();
            out.writeEndObject();
        }
        return bytes.toByteArray();
    }
}
