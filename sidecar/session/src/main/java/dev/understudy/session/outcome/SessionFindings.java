package dev.understudy.session.outcome;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Instant;

/**
 * What a session found with one copy.
 *
 * @param session its id
 * @param target what was debugged
 * @param copy what the copy began with, such as LIVE
 * @param cause the rule that fired; "" if nobody's
 * @param trace its trace, 32 hexadecimal digits
 * @param begun when the session, or the rule, began it
 * @param ended when the copy was given nothing more
 * @param code the report's exit code
 * @param text the report's sentences
 * @param report the report's page
 * @param suspects what {@code /v1/suspects} answered
 */
public record SessionFindings(
        String session,
        String target,
        String copy,
        String cause,
        String trace,
        Instant begun,
        Instant ended,
        int code,
        String text,
        Path report,
        JsonNode suspects) {
    /** How many suspects leave this machine: those that somebody reads. */
    static final int MOST = 5;

    private static final int LONGEST = 4_000;

    /** The document that others get: at most {@value #MOST} suspects, each with as many methods that can't be told from
     * it, and no values of requests. */
    public ObjectNode document() {
        ObjectNode document = new ObjectMapper().createObjectNode();
        document.put("session", session)
                .put("target", target)
                .put("copy", copy)
                .put("rule", cause)
                .put("trace", trace)
                .put("begun", begun.toString())
                .put("ended", ended.toString())
                .put("code", code)
                .put("text", shortened(text))
                .put("report", report.toString());
        JsonNode exchanges = suspects.path("exchanges");
        document.put("failing", exchanges.path("failing").asLong())
                .put("successful", exchanges.path("successful").asLong());
        ArrayNode list = document.putArray("suspects");
        for (JsonNode each : suspects.path("suspects")) {
            if (list.size() == MOST) {
                break;
            }
            ObjectNode suspect = list.addObject()
                    .put("rank", each.path("rank").asInt())
                    .put("method", shortened(each.path("method").asText()))
                    .put("predicate", shortened(each.path("predicate").asText()))
                    .put("importance", each.path("importance").asDouble())
                    .put("low", each.path("low").asDouble());
            ArrayNode alike = suspect.putArray("alike");
            for (JsonNode other : each.path("alike")) {
                if (alike.size() < MOST) {
                    alike.add(shortened(other.path("method").asText()));
                }
            }
        }
        return document;
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
