package dev.understudy.agent.point;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** What points have told, and how they fare, as JSON for the sidecar. Confined to one thread. */
public final class HitBatch {
    private static final int MOST_HITS = 200;
    /** The sidecar takes four times as much; one hit is far smaller. */
    private static final int MOST_BYTES = 1 << 20;

    private static final int MOST_TRIES = 5;

    private final String name;
    private final PointOrder points;
    private final JsonFactory json = new JsonFactory();
    private String told = "";
    private long lost;
    private byte[] batch = {};
    private int hitsInBatch;
    private int tries;

    /** Batches under the agent's name. */
    public HitBatch(String name, PointOrder points) {
        this.name = name;
        this.points = points;
    }

    /** The next batch, or the last one again if it wasn't taken; empty if there is nothing new. */
    public byte[] write() throws IOException {
        if (batch.length > 0) {
            return batch;
        }
        String counts = counts(points.live());
        Hits.Hit hit = points.hits().poll();
        if (hit == null && counts.equals(told)) {
            return new byte[0];
        }
        told = counts;
        hitsInBatch = 0;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(16 * 1024);
        try (JsonGenerator out = json.createGenerator(bytes)) {
            out.writeStartObject();
            out.writeStringField("name", name);
            out.writeNumberField("dropped", points.hits().dropped() + lost);
            out.writeFieldName("points");
            out.writeRawValue(counts);
            out.writeArrayFieldStart("hits");
            while (hit != null) {
                write(out, hit);
                out.flush();
                hit = ++hitsInBatch < MOST_HITS && bytes.size() < MOST_BYTES
                        ? points.hits().poll()
                        : null;
            }
            out.writeEndArray();
            out.writeEndObject();
        }
        batch = bytes.toByteArray();
        return batch;
    }

    /** Whether the last batch was taken; one that isn't taken again and again is lost, and counted. */
    public void taken(boolean taken) {
        if (taken || ++tries >= MOST_TRIES) {
            lost += taken ? 0 : hitsInBatch;
            batch = new byte[0];
            tries = 0;
        }
    }

    private String counts(List<LivePoint> live) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = json.createGenerator(bytes)) {
            out.writeStartArray();
            for (LivePoint point : live) {
                out.writeStartObject();
                out.writeStringField("id", point.wanted.id);
                out.writeNumberField("passed", point.passed());
                out.writeNumberField("told", point.told());
                out.writeNumberField("limited", point.limited());
                out.writeNumberField("undecided", point.undecided());
                out.writeNumberField("skipped", point.skipped());
                out.writeNumberField("left", point.left());
                out.writeStringField("why", point.why());
                out.writeEndObject();
            }
            out.writeEndArray();
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static void write(JsonGenerator out, Hits.Hit hit) throws IOException {
        out.writeStartObject();
        out.writeStringField("point", hit.point);
        out.writeStringField("place", hit.place);
        out.writeNumberField("millis", hit.millis);
        out.writeStringField("thread", hit.thread);
        out.writeStringField("trace", hit.trace);
        out.writeStringField("span", hit.span);
        if (hit.text != null) {
            out.writeStringField("text", hit.text);
        } else {
            out.writeObjectFieldStart("values");
            for (Map.Entry<String, String> value : hit.values.entrySet()) {
                out.writeStringField(value.getKey(), value.getValue());
            }
            out.writeEndObject();
            out.writeArrayFieldStart("stack");
            for (String frame : hit.stack) {
                out.writeString(frame);
            }
            out.writeEndArray();
        }
        out.writeEndObject();
    }
}
