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
import java.util.Comparator;
import java.util.List;

/** {@code methods}: what agents sample, with rates, times and what was ordered. */
final class MethodsTool {
    private MethodsTool() {}

    static ToolDefinition definition() {
        return new ToolDefinition(
                "methods",
                "The woven methods that were called: calls a second, mean and longest time, and "
                        + "whether they are armed.",
                ToolEffect.LOOK,
                List.of(
                        ToolParameter.text("text", 200, "Only methods whose name contains it."),
                        ToolParameter.choice("sort", List.of("calls", "mean", "max"), "What comes first (calls)."),
                        AnswerPage.limit(50, 20),
                        AnswerPage.cursor()),
                MethodsTool::run);
    }

    private static ToolAnswer run(ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException {
        String text = arguments.text("text");
        String key = switch (arguments.text("sort")) {
            case "mean" -> "meanMicros";
            case "max" -> "maxMicros";
            default -> "hitsPerSecond";
        };
        List<JsonNode> methods = new ArrayList<>();
        ToolAnswer answer = new ToolAnswer();
        var agents = answer.list("agents");
        for (JsonNode agent : ports.sidecar().get("/v1/agent").path("agents")) {
            agents.add(ToolAnswer.chosen(agent, "name", "state", "classes", "probes", "budget", "spent", "why"));
            for (JsonNode method : agent.path("methods")) {
                if (method.path("method").asText().contains(text)) {
                    ObjectNode shown = ToolAnswer.chosen(
                            method, "method", "hits", "hitsPerSecond", "rate", "meanMicros", "maxMicros", "ordered");
                    shown.set("agent", agent.path("name"));
                    methods.add(shown);
                }
            }
        }
        methods.sort(
                Comparator.comparingDouble((JsonNode method) -> method.path(key).asDouble())
                        .reversed());
        AnswerPage.add(answer, "methods", methods, arguments);
        return answer.next(
                agents.isEmpty()
                        ? "status: no agent has reported (expected: one in the debug JVM; see understudy attach)"
                        : "order_probes arms methods; add_log_point shows their values");
    }
}
