package dev.understudy.sidecar.command.live;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** A circle of locks that threads took, as lines to read. */
final class LockCycleText {
    private LockCycleText() {}

    static List<String> lines(JsonNode cycle) {
        List<String> lines = new ArrayList<>();
        lines.add("circle: locks taken in a circle, in which threads that meet stand still for good ("
                + cycle.path("agent").asText() + "):");
        for (JsonNode step : cycle.path("steps")) {
            String takes = lock(step.path("takes").asText());
            String holds = lock(step.path("holds").asText());
            lines.add("   " + place(step, "method", "line") + " takes " + takes + ", holding " + holds + " ("
                    + step.path("type").asText() + ") since " + place(step, "holdsSince", "holdsSinceLine"));
            lines.add("      thread " + step.path("thread").asText());
            for (JsonNode frame : step.path("stack")) {
                lines.add("      at " + frame.asText());
            }
        }
        return lines;
    }

    private static String lock(String name) {
        return name.isEmpty() ? "a lock" : name;
    }

    private static String place(JsonNode step, String method, String line) {
        int number = step.path(line).asInt();
        return step.path(method).asText() + (number > 0 ? " line " + number : "");
    }
}
