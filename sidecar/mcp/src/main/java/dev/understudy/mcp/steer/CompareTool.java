package dev.understudy.mcp.steer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.understudy.mcp.port.ControlPorts;
import dev.understudy.mcp.tool.AnswerPage;
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

/** {@code compare_executions}: where the execution of a failing request parts from that of a good one. */
final class CompareTool {
    private static final long LOOK_AGAIN_MILLIS = 200;

    private CompareTool() {}

    static ToolDefinition definition() {
        return new ToolDefinition(
                "compare_executions",
                "Sends a failing request and the two good ones of its route that are most like it to the debug JVM "
                        + "once more, never to production, and lists the methods where the executions part, the "
                        + "earliest first. What the requests change in the debug JVM stays changed. Needs the role "
                        + "operate.",
                ToolEffect.REPLAY,
                List.of(
                        ToolParameter.number(
                                "exchange",
                                0,
                                Long.MAX_VALUE,
                                0,
                                "The failing exchange, as exchanges lists it (0: the newest that failed)."),
                        ToolParameter.number("seconds", 1, 60, 45, "Waits so long for the outcome at most."),
                        AnswerPage.limit(40, 10)),
                CompareTool::run);
    }

    private static ToolAnswer run(ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException {
        ControlClient client = ports.sidecar();
        long exchange = arguments.number("exchange");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(arguments.number("seconds"));
        JsonNode newest = client.post("/v1/comparisons", exchange == 0 ? Map.of() : Map.of("exchange", exchange))
                .at("/comparisons/0");
        while (newest.path("state").asText().equals("RUNNING") && System.nanoTime() - end < 0) {
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
            newest = client.get("/v1/comparisons").at("/comparisons/0");
        }
        ToolAnswer answer = new ToolAnswer()
                .with(newest, "number", "state", "words", "failing", "passing", "asked", "calls", "left");
        ArrayNode partings = answer.list("partings");
        for (JsonNode parting : newest.path("partings")) {
            if (partings.size() < AnswerPage.limit(arguments)) {
                partings.add(parting);
            }
        }
        return newest.path("state").asText().equals("DONE")
                ? answer.with("partingCount", newest.path("partingCount").asLong())
                        .next("source of the first method, or add_log_point there")
                : answer.next("exchanges with failing, and compare_executions of another one");
    }
}
