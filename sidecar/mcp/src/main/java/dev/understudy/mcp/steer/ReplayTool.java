package dev.understudy.mcp.steer;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.mcp.port.ControlPorts;
import dev.understudy.mcp.tool.ToolAnswer;
import dev.understudy.mcp.tool.ToolArguments;
import dev.understudy.mcp.tool.ToolDefinition;
import dev.understudy.mcp.tool.ToolEffect;
import dev.understudy.mcp.tool.ToolParameter;
import dev.understudy.sidecar.command.control.ControlClient;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@code replay_exchange}: sends one exchange's request to the debug JVM once more. */
final class ReplayTool {
    private static final long LOOK_AGAIN_MILLIS = 200;

    private ReplayTool() {}

    static ToolDefinition definition() {
        return new ToolDefinition(
                "replay_exchange",
                "Sends one exchange's request to the debug JVM once more, never to production, and compares the new "
                        + "reply with production's recorded one. Upstreams give it what they gave it before. What it "
                        + "changes in the debug JVM stays changed. Needs the role operate.",
                ToolEffect.REPLAY,
                List.of(
                        ToolParameter.number("exchange", 1, Long.MAX_VALUE, 1, "The exchange, as exchanges lists it.")
                                .asRequired(),
                        ToolParameter.number("seconds", 1, 45, 20, "Waits so long for the reply at most.")),
                ReplayTool::run);
    }

    private static ToolAnswer run(ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException {
        ControlClient client = ports.sidecar();
        String path = "/v1/exchanges/" + arguments.number("exchange") + "/replay";
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(arguments.number("seconds"));
        JsonNode run = client.post(path, Map.of());
        while (run.path("state").asText().equals("RUNNING") && System.nanoTime() - end < 0) {
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
            run = client.get(path);
        }
        ToolAnswer answer = new ToolAnswer()
                .with(run, "exchange", "state", "kind", "reason", "differences", "debugMillis", "production", "copy");
        return run.path("kind").isNull()
                ? answer.next(
                        "the debug JVM hasn't answered: hits, if it stands at a point; else replay_exchange again")
                : answer.next("add_log_point or apply_patch, then replay_exchange again");
    }
}
