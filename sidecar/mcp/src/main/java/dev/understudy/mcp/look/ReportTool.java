package dev.understudy.mcp.look;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.understudy.mcp.port.ControlPorts;
import dev.understudy.mcp.tool.AnswerPage;
import dev.understudy.mcp.tool.ToolAnswer;
import dev.understudy.mcp.tool.ToolArguments;
import dev.understudy.mcp.tool.ToolDefinition;
import dev.understudy.mcp.tool.ToolEffect;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** {@code report}: what the session comes to so far. */
final class ReportTool {
    private ReportTool() {}

    static ToolDefinition definition() {
        return new ToolDefinition(
                "report",
                "What the session comes to so far: a sentence for each debug JVM, verdicts and times by route, epochs.",
                ToolEffect.LOOK,
                List.of(AnswerPage.limit(50, 20), AnswerPage.cursor()),
                ReportTool::run);
    }

    private static ToolAnswer run(ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException {
        JsonNode document = document(ports);
        ToolAnswer answer = summary(document);
        List<JsonNode> routes = new ArrayList<>();
        for (JsonNode copy : document.path("copies")) {
            for (JsonNode route : copy.path("routes")) {
                var shown = ToolAnswer.chosen(route, "route", "verdicts");
                shown.set("medianMillis", route.path("speed").path("medianMillis"));
                shown.set("debug", copy.path("debug"));
                routes.add(shown);
            }
        }
        AnswerPage.add(answer, "routes", routes, arguments);
        return answer.next("divergences: what differs and why; patch_verdict compares epochs");
    }

    /** The report without its routes; a resource has it. */
    static ToolAnswer read(ControlPorts ports) throws IOException, InterruptedException {
        return summary(document(ports)).next("the tool report has the routes");
    }

    private static JsonNode document(ControlPorts ports) throws IOException, InterruptedException {
        return ports.sidecar().get("/v1/divergences");
    }

    private static ToolAnswer summary(JsonNode document) {
        ToolAnswer answer = new ToolAnswer().with(document, "since", "until");
        ArrayNode copies = answer.list("copies");
        for (JsonNode copy : document.path("copies")) {
            copies.add(ToolAnswer.chosen(
                    copy,
                    "listener",
                    "debug",
                    "sentence",
                    "fidelity",
                    "verdicts",
                    "notCompared",
                    "instrumentation",
                    "ungroupedDivergences"));
        }
        return answer.with(document, "epochs", "outgoing");
    }
}
