package dev.understudy.mcp.look;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.understudy.mcp.port.ControlPorts;
import dev.understudy.mcp.tool.AnswerPage;
import dev.understudy.mcp.tool.ToolAnswer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The session's figures, without what was compared: times, rates, windows, what agents take, what was lost. */
final class Measurements {
    /** Of listeners, and of the debug JVMs of each. */
    private static final int MOST = 20;

    private Measurements() {}

    /** As they stand; a resource has them. */
    static ToolAnswer read(ControlPorts ports) throws IOException, InterruptedException {
        JsonNode status = ports.sidecar().get("/v1/status");
        ToolAnswer answer = new ToolAnswer();
        List<JsonNode> listeners = new ArrayList<>();
        status.path("listeners").forEach(listener -> listeners.add(listener(listener)));
        AnswerPage.begin(answer, "listeners", listeners, MOST);
        List<JsonNode> windows = new ArrayList<>();
        status.path("windows")
                .forEach(window -> windows.add(ToolAnswer.chosen(
                        window,
                        "debug",
                        "utilisation",
                        "peakUtilisation",
                        "occupancyBytes",
                        "capacityBytes",
                        "diskBytes",
                        "lagMillis",
                        "peakLagMillis",
                        "pending",
                        "arrivalRate",
                        "serviceRate",
                        "estimate",
                        "stopMillis",
                        "replyTimeoutMillis")));
        AnswerPage.begin(answer, "windows", windows, MOST);
        List<JsonNode> agents = new ArrayList<>();
        status.path("agents")
                .forEach(agent -> agents.add(ToolAnswer.chosen(
                        agent, "name", "budget", "budgetMax", "spent", "nu", "samplesPerSecond", "why")));
        AnswerPage.begin(answer, "agents", agents, MOST);
        return answer.next("status has the verdicts; methods and flame have times of the code");
    }

    private static ObjectNode listener(JsonNode listener) {
        ObjectNode shown = ToolAnswer.chosen(listener, "name", "tee", "connections", "bytes", "notSampled");
        ArrayNode copies = shown.putArray("debugs");
        for (JsonNode copy : listener.path("debugs")) {
            if (copies.size() < MOST) {
                copies.add(ToolAnswer.chosen(
                        copy, "debug", "exchanges", "latencyMillis", "lateReplies", "unframedConnections", "losses"));
            }
        }
        return shown;
    }
}
