package dev.understudy.sidecar.inbound;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One message to the aggregator, as JSON; the aggregator's OpenAPI document says what is in it. */
final class InboundNewsWriter {
    private static final JsonFactory JSON = new JsonFactory();
    private static final Pattern TRACEPARENT = Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}.*");

    private InboundNewsWriter() {}

    /**
     * Writes one message.
     *
     * @param run tells this process from others, whose exchanges have the same numbers
     * @param clock tells this process's clock from others; "" if that isn't known
     * @param sent now
     * @param roundTrip the shortest that a message and its answer took lately; 0 if none was answered yet
     * @param toldUntil all that was told to the link before is in this message or an earlier one, but for what was
     *     dropped
     * @param completeUntil all that arrived before has been told, but for what was dropped
     * @param reruns exchanges that are about to be sent once more
     * @param kept exchanges that somebody may want to be sent once more
     */
    static byte[] write(
            String run,
            String clock,
            long sent,
            long roundTrip,
            long toldUntil,
            long completeUntil,
            List<InboundState> states,
            List<AggregatorLink.Rerun> reruns,
            List<Long> kept) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(100 + 200 * states.size());
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeStringField("run", run);
            json.writeStringField("clock", clock);
            json.writeNumberField("sent", sent);
            json.writeNumberField("roundTrip", roundTrip);
            json.writeNumberField("toldUntil", toldUntil);
            json.writeNumberField("completeUntil", completeUntil);
            json.writeArrayFieldStart("exchanges");
            for (InboundState state : states) {
                json.writeStartObject();
                json.writeNumberField("id", state.id());
                json.writeNumberField("arrived", state.arrived());
                time(json, "replied", state.replied());
                time(json, "handed", state.handed());
                time(json, "done", state.done());
                text(json, "trace", traceId(state.clientTrace()));
                text(json, "debugTrace", state.debugTrace());
                text(json, "shown", state.shown() == null ? null : state.shown().encoded());
                json.writeEndObject();
            }
            json.writeEndArray();
            if (!kept.isEmpty()) {
                json.writeArrayFieldStart("kept");
                for (long exchange : kept) {
                    json.writeNumber(exchange);
                }
                json.writeEndArray();
            }
            if (!reruns.isEmpty()) {
                json.writeArrayFieldStart("reruns");
                for (AggregatorLink.Rerun rerun : reruns) {
                    json.writeStartObject();
                    json.writeStringField("trace", rerun.trace());
                    json.writeNumberField("exchange", rerun.exchange());
                    if (rerun.alone()) {
                        json.writeBooleanField("alone", true);
                    }
                    if (rerun.over()) {
                        json.writeBooleanField("over", true);
                    }
                    json.writeEndObject();
                }
                json.writeEndArray();
            }
            json.writeEndObject();
        } catch (IOException impossible) {
            throw new IllegalStateException("memory can always be written to", impossible);
        }
        return bytes.toByteArray();
    }

    private static void time(JsonGenerator json, String name, long nanos) throws IOException {
        if (nanos != InboundState.NOT_YET) {
            json.writeNumberField(name, nanos);
        }
    }

    private static void text(JsonGenerator json, String name, @Nullable String text) throws IOException {
        if (text != null) {
            json.writeStringField(name, text);
        }
    }

    /** W3C Trace Context, section 3.2; null if a client sent something else. */
    private static @Nullable String traceId(@Nullable String traceparent) {
        if (traceparent == null || traceparent.length() > 512) {
            return null;
        }
        Matcher matcher = TRACEPARENT.matcher(traceparent);
        return matcher.matches() ? matcher.group(1) : null;
    }
}
