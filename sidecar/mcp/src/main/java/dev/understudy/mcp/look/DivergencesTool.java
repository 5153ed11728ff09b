package dev.understudy.mcp.look;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.understudy.mcp.port.ControlPorts;
import dev.understudy.mcp.tool.AnswerPage;
import dev.understudy.mcp.tool.ToolAnswer;
import dev.understudy.mcp.tool.ToolArguments;
import dev.understudy.mcp.tool.ToolDefinition;
import dev.understudy.mcp.tool.ToolEffect;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** {@code divergences}: what differs, by what it has in common, first causes first. */
final class DivergencesTool {
    private static final int EXAMPLES = 1;

    private DivergencesTool() {}

    static ToolDefinition definition() {
        return new ToolDefinition(
                "divergences",
                "Replies that differ, grouped by route and place, first causes first: what came first may have caused "
                        + "what followed.",
                ToolEffect.LOOK,
                List.of(AnswerPage.limit(20, 10), AnswerPage.cursor()),
                DivergencesTool::run);
    }

    private static ToolAnswer run(ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException {
        JsonNode document = ports.sidecar().get("/v1/divergences");
        List<JsonNode> groups = new ArrayList<>();
        for (JsonNode copy : document.path("copies")) {
            for (JsonNode node : copy.path("firstCauses")) {
                groups.add(group(copy, node));
            }
        }
        ToolAnswer answer = new ToolAnswer();
        for (JsonNode copy : document.path("copies")) {
            answer.with("sentence", copy.path("sentence").asText());
        }
        AnswerPage.add(answer, "groups", groups, arguments);
        return answer.next(
                groups.isEmpty()
                        ? "status: nothing differs so far"
                        : "suspects, or exchanges with kind DIFFERENT and the route of a group");
    }

    private static ObjectNode group(JsonNode copy, JsonNode node) {
        JsonNode cause = node.path("cause");
        ObjectNode group = ToolAnswer.chosen(cause, "route", "places", "count", "first", "last");
        group.set("listener", copy.path("listener"));
        group.set("debug", copy.path("debug"));
        int examples = 0;
        for (JsonNode example : cause.path("examples")) {
            if (examples++ < EXAMPLES) {
                group.withArray("/examples").add(ToolAnswer.chosen(example, "exchange", "request", "differences"));
            }
        }
        group.set("mayFollow", node.path("mayFollow"));
        group.set("reproduce", node.path("reproduce"));
        group.put("followers", node.path("followers").size());
        return group;
    }
}
