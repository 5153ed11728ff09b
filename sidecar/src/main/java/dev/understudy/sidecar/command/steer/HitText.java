package dev.understudy.sidecar.command.steer;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/** What a point told, as lines. Stateless. */
final class HitText {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

    private HitText() {}

    static void print(JsonNode hit, PrintWriter out) {
        String time =
                TIME.format(Instant.ofEpochMilli(hit.path("millis").asLong()).atZone(ZoneId.systemDefault()));
        String trace = hit.path("trace").asText();
        String where = hit.path("point").asText() + " " + hit.path("agent").asText()
                + (trace.isEmpty()
                        ? ""
                        : " trace " + trace + " span " + hit.path("span").asText());
        if (hit.path("stack").isEmpty()) {
            out.println(time + "  " + where + "  " + hit.path("text").asText());
            return;
        }
        out.println(time + "  " + where + "  " + hit.path("place").asText() + " on "
                + hit.path("thread").asText());
        hit.path("values")
                .properties()
                .forEach(value -> out.println(
                        "    " + value.getKey() + " = " + value.getValue().asText()));
        hit.path("stack").forEach(frame -> out.println("    at " + frame.asText()));
    }
}
