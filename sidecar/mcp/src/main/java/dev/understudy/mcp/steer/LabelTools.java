package dev.understudy.mcp.steer;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.mcp.port.ControlPorts;
import dev.understudy.mcp.tool.ToolAnswer;
import dev.understudy.mcp.tool.ToolArguments;
import dev.understudy.mcp.tool.ToolDefinition;
import dev.understudy.mcp.tool.ToolEffect;
import dev.understudy.mcp.tool.ToolInputException;
import dev.understudy.mcp.tool.ToolParameter;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code failure_labels} and {@code set_failure_labels}: which exchanges count as failing. */
final class LabelTools {
    private static final String PATH = "/v1/labels";

    private LabelTools() {}

    static List<ToolDefinition> definitions() {
        return List.of(
                new ToolDefinition(
                        "failure_labels",
                        "Which exchanges count as failing, and what the settings say of it.",
                        ToolEffect.LOOK,
                        List.of(),
                        (arguments, ports) -> answer(ports.sidecar().get(PATH))),
                new ToolDefinition(
                        "set_failure_labels",
                        "Changes which exchanges count as failing; what isn't named stays. Suspects are ranked anew "
                                + "from then on. Needs the role operate.",
                        ToolEffect.STEER,
                        List.of(
                                ToolParameter.texts(
                                        "also",
                                        20,
                                        "Rules such as '422 POST /orders' or '200 POST /orders where json /total < 0', "
                                                + "in place of all such rules that held."),
                                ToolParameter.number("status", 100, 600, 500, "The least status that fails."),
                                ToolParameter.text(
                                        "slow", 20, "From which time on: 250ms, p99 of its route, or never."),
                                ToolParameter.flag("reset", "Back to what the settings say; alone.")),
                        LabelTools::set));
    }

    private static ToolAnswer set(ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException, ToolInputException {
        Map<String, Object> change = new LinkedHashMap<>();
        if (arguments.has("also")) {
            change.put("also", arguments.texts("also"));
        }
        if (arguments.has("status")) {
            change.put("status", arguments.number("status"));
        }
        if (arguments.has("slow")) {
            change.put("slow", arguments.text("slow"));
        }
        if (arguments.isSet("reset") != change.isEmpty()) {
            throw new ToolInputException("reset: true alone, or one of also, status, slow");
        }
        return answer(
                change.isEmpty()
                        ? ports.sidecar().delete(PATH)
                        : ports.sidecar().post(PATH, change));
    }

    private static ToolAnswer answer(JsonNode labels) {
        ToolAnswer answer = new ToolAnswer();
        labels.properties().forEach(field -> answer.with(field.getKey(), field.getValue()));
        return answer.next("suspects, once requests have failed by these labels");
    }
}
