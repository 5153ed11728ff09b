package dev.understudy.mcp.look;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.mcp.port.ControlPorts;
import dev.understudy.mcp.tool.AnswerLimits;
import dev.understudy.mcp.tool.AnswerPage;
import dev.understudy.mcp.tool.ToolAnswer;
import dev.understudy.mcp.tool.ToolArguments;
import dev.understudy.mcp.tool.ToolDefinition;
import dev.understudy.mcp.tool.ToolEffect;
import dev.understudy.mcp.tool.ToolParameter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** {@code exchange}: all that is known of one. What is too long for one answer is read part by part. */
final class OneExchangeTool {
    private static final String BODY_FROM = "body_from";
    private static final String[] MESSAGES = {"sent", "production", "copy"};

    private OneExchangeTool() {}

    static ToolDefinition definition() {
        return new ToolDefinition(
                "exchange",
                "All that is known of one exchange: the request, both replies, the differences, upstream calls, "
                        + "sampled calls of methods (from then on, agents send them for a minute), and how to "
                        + "make it happen again. With a cursor, further differences alone.",
                ToolEffect.LOOK,
                List.of(
                        ToolParameter.number("exchange", 1, Long.MAX_VALUE, 1, "The exchange, as exchanges lists it.")
                                .asRequired(),
                        ToolParameter.number(
                                BODY_FROM,
                                0,
                                1_000_000,
                                0,
                                "Shows the bodies alone, " + AnswerLimits.TEXT + " characters from this one on."),
                        AnswerPage.limit(100, 20),
                        AnswerPage.cursor()),
                OneExchangeTool::run);
    }

    private static ToolAnswer run(ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException {
        String path = "/v1/exchanges/" + arguments.number("exchange");
        JsonNode found = ports.sidecar().get(path);
        ToolAnswer answer = new ToolAnswer().with(found, "exchange");
        if (arguments.has(BODY_FROM)) {
            return bodies(answer, found, (int) arguments.number(BODY_FROM));
        }
        List<JsonNode> differences = new ArrayList<>();
        found.path("differences").forEach(differences::add);
        if (AnswerPage.cursor(arguments) > 0) {
            AnswerPage.add(answer, "differences", differences, arguments);
            return answer.next("exchange without a cursor shows both replies");
        }
        answer.with(
                found,
                "kind",
                "reason",
                "failing",
                "request",
                "route",
                "listener",
                "debug",
                "connection",
                "trace",
                "productionStatus",
                "debugStatus",
                "productionMillis",
                "debugMillis");
        AnswerPage.add(answer, "differences", differences, arguments);
        answer.with(found, "outgoing", "sent", "production", "copy", "fidelity", "reproduce")
                .with(ports.sidecar().get(path + "/calls"), "calls");
        for (String message : MESSAGES) {
            if (body(found, message).length() > AnswerLimits.TEXT) {
                answer.with("bodies", "exchange with " + BODY_FROM + " 0 shows them part by part");
            }
        }
        return answer.next("suspects: which methods go with failing exchanges");
    }

    private static ToolAnswer bodies(ToolAnswer answer, JsonNode found, int from) {
        int to = from + AnswerLimits.TEXT;
        boolean isMore = false;
        for (String message : MESSAGES) {
            String body = body(found, message);
            answer.object(message)
                    .put("body", body.substring(Math.min(from, body.length()), Math.min(to, body.length())))
                    .put("bodyCharacters", body.length());
            isMore |= body.length() > to;
        }
        return answer.next(
                isMore
                        ? "exchange with " + BODY_FROM + " " + to + " goes on"
                        : "exchange without " + BODY_FROM + ": the bodies end here");
    }

    private static String body(JsonNode found, String message) {
        return found.path(message).path("body").asText();
    }
}
