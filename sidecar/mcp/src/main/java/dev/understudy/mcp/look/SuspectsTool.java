package dev.understudy.mcp.look;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.understudy.mcp.port.ControlPorts;
import dev.understudy.mcp.tool.AnswerPage;
import dev.understudy.mcp.tool.ToolAnswer;
import dev.understudy.mcp.tool.ToolArguments;
import dev.understudy.mcp.tool.ToolDefinition;
import dev.understudy.mcp.tool.ToolEffect;
import dev.understudy.mcp.tool.ToolParameter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** {@code suspects}: the methods that go with failing exchanges. */
final class SuspectsTool {
    private static final int ALIKE = 5;

    private SuspectsTool() {}

    static ToolDefinition definition() {
        return new ToolDefinition(
                "suspects",
                "Methods of the debug JVM that go with failing exchanges, the most suspicious first, with evidence; "
                        + "also methods that leak, and locks taken in a circle.",
                ToolEffect.LOOK,
                List.of(
                        ToolParameter.number(
                                "alike", 0, 50, ALIKE, "So many of the methods that are as suspicious as each."),
                        AnswerPage.limit(30, 10),
                        AnswerPage.cursor()),
                SuspectsTool::run);
    }

    private static ToolAnswer run(ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException {
        JsonNode document = ports.sidecar().get("/v1/suspects");
        List<JsonNode> suspects = new ArrayList<>();
        for (JsonNode suspect : document.path("suspects")) {
            ObjectNode shown = suspect.deepCopy();
            JsonNode alike = shown.path("alike");
            shown.remove("alike");
            for (int n = 0; n < Math.min(arguments.number("alike"), alike.size()); n++) {
                shown.withArray("/alike")
                        .add(alike.get(n).path("method").asText() + ": "
                                + alike.get(n).path("predicate").asText());
            }
            if (alike.size() > arguments.number("alike")) {
                shown.put("alikeCount", alike.size());
            }
            suspects.add(shown);
        }
        ToolAnswer answer = new ToolAnswer();
        answer.with(document, "silence", "exchanges", "failingBy", "unexplained");
        AnswerPage.add(answer, "suspects", suspects, arguments);
        if (AnswerPage.cursor(arguments) == 0) {
            answer.with(document, "leaks", "lockCycles", "looking");
        }
        return answer.next(
                suspects.isEmpty()
                        ? "failure_labels: suspects need exchanges that fail by them, and an agent in the debug JVM"
                        : "add_log_point or add_snapshot at "
                                + suspects.get(0).path("method").asText() + " shows its values; source shows its code");
    }
}
