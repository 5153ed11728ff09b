package dev.understudy.mcp.look;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.understudy.mcp.port.ControlPorts;
import dev.understudy.mcp.tool.ToolAnswer;
import dev.understudy.mcp.tool.ToolArguments;
import dev.understudy.mcp.tool.ToolDefinition;
import dev.understudy.mcp.tool.ToolEffect;
import java.io.IOException;
import java.util.List;

/** {@code status}: what runs, what was compared, what was lost. */
final class StatusTool {
    private StatusTool() {}

    static ToolDefinition definition() {
        return new ToolDefinition(
                "status",
                "The state of the session: listeners, verdicts by kind, losses, window, agents, patch. Call it first.",
                ToolEffect.LOOK,
                List.of(),
                StatusTool::run);
    }

    /** The answer without arguments; a resource has it, too. */
    static ToolAnswer run(ToolArguments arguments, ControlPorts ports) throws IOException, InterruptedException {
        return read(ports);
    }

    static ToolAnswer read(ControlPorts ports) throws IOException, InterruptedException {
        JsonNode status = ports.sidecar().get("/v1/status");
        ToolAnswer answer = new ToolAnswer();
        ArrayNode listeners = answer.list("listeners");
        long different = 0;
        for (JsonNode listener : status.path("listeners")) {
            var shown = ToolAnswer.chosen(
                    listener, "name", "address", "tee", "connections", "exchanges", "latencyMillis", "fidelity");
            ArrayNode copies = shown.putArray("debugs");
            for (JsonNode copy : listener.path("debugs")) {
                copies.add(ToolAnswer.chosen(copy, "debug", "address", "verdicts", "notCompared", "losses", "lanes"));
                different += copy.path("verdicts").path("DIFFERENT").asLong();
            }
            listeners.add(shown);
        }
        ArrayNode windows = answer.list("windows");
        status.path("windows")
                .forEach(window -> windows.add(ToolAnswer.chosen(
                        window, "debug", "utilisation", "lagMillis", "pending", "arrivalRate", "estimate")));
        answer.with(status, "epoch", "agents", "outgoing");
        answer.with("orders", ToolAnswer.chosen(status.path("orders"), "revision", "agents"));
        return answer.next(
                different > 0
                        ? "divergences: " + different + " replies differ; it groups them, first causes first"
                        : "exchanges: no reply differs so far");
    }
}
