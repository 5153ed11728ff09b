package dev.understudy.sidecar.ranking;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Locks that threads took in a circle, as an agent's report tells of them, spelled for {@code /v1/suspects}. */
final class LockCycles {
    private static final int MOST = 20;
    private static final int LONGEST = 16;

    private LockCycles() {}

    static Stream<OneRanking.Entry> of(JsonNode report) {
        return StreamSupport.stream(report.path("locks").path("cycles").spliterator(), false)
                .limit(MOST)
                .map(cycle -> {
                    Map<String, Object> spelled = new LinkedHashMap<>();
                    spelled.put("rank", 0);
                    spelled.put("agent", report.path("name").asText());
                    spelled.put("steps", list(cycle).map(LockCycles::step).toList());
                    Set<String> methods = list(cycle)
                            .flatMap(step -> Stream.of(step.path("holdsSince"), step.path("method")))
                            .map(JsonNode::asText)
                            .collect(Collectors.toSet());
                    return new OneRanking.Entry(spelled, methods);
                });
    }

    private static Map<String, Object> step(JsonNode step) {
        Map<String, Object> spelled = new LinkedHashMap<>();
        for (String text : List.of("holds", "type", "holdsSince", "takes", "method", "thread")) {
            spelled.put(text, step.path(text).asText());
        }
        for (String line : List.of("holdsSinceLine", "line")) {
            spelled.put(line, step.path(line).asInt());
        }
        spelled.put("stack", list(step.path("stack")).map(JsonNode::asText).toList());
        return spelled;
    }

    private static Stream<JsonNode> list(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).limit(LONGEST);
    }
}
