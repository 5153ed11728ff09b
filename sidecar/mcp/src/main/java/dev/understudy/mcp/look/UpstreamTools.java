package dev.understudy.mcp.look;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.understudy.mcp.port.ControlPorts;
import dev.understudy.mcp.port.ControlQuery;
import dev.understudy.mcp.tool.AnswerPage;
import dev.understudy.mcp.tool.ToolAnswer;
import dev.understudy.mcp.tool.ToolArguments;
import dev.understudy.mcp.tool.ToolDefinition;
import dev.understudy.mcp.tool.ToolEffect;
import dev.understudy.mcp.tool.ToolParameter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** {@code upstream_misses}, {@code upstream_calls}, {@code upstream_call}: what the debug JVM asked of upstreams. */
final class UpstreamTools {
    private static final List<String> OUTCOMES =
            List.of("REPLAYED", "REPEATED", "BACKGROUND", "STUBBED", "LIVE", "STANDIN", "FAULT", "MISSED");
    private static final int KEPT = 1_000;

    private UpstreamTools() {}

    static List<ToolDefinition> definitions() {
        return List.of(
                new ToolDefinition(
                        "upstream_misses",
                        "Upstream calls of the debug JVM without a recorded reply, by kind, with the nearest recorded "
                                + "requests.",
                        ToolEffect.LOOK,
                        List.of(AnswerPage.limit(30, 10), AnswerPage.cursor()),
                        UpstreamTools::misses),
                new ToolDefinition(
                        "upstream_calls",
                        "The newest upstream calls of the debug JVM, and which recorded reply each received.",
                        ToolEffect.LOOK,
                        List.of(
                                ToolParameter.choice("outcome", OUTCOMES, "Only these."),
                                ToolParameter.flag("ambiguous", "Only those for which others were as good."),
                                AnswerPage.limit(50, 20),
                                AnswerPage.cursor()),
                        UpstreamTools::calls),
                new ToolDefinition(
                        "upstream_call",
                        "Why one upstream call received what it did: its form, the candidates, what differs.",
                        ToolEffect.LOOK,
                        List.of(ToolParameter.number("id", 1, Long.MAX_VALUE, 1, "The call's id in upstream_calls.")
                                .asRequired()),
                        UpstreamTools::call));
    }

    private static ToolAnswer misses(ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException {
        JsonNode document = ports.aggregator()
                .get(ControlQuery.of("/v1/misses")
                        .with("limit", AnswerPage.limit(arguments))
                        .with("kinds", KEPT)
                        .path());
        List<JsonNode> kinds = new ArrayList<>();
        for (JsonNode kind : document.path("kinds")) {
            var shown = ToolAnswer.chosen(kind, "upstream", "form", "why", "count", "last");
            JsonNode newest = kind.path("examples").path(0);
            shown.set("newest", ToolAnswer.chosen(newest, "form", "nearest", "at"));
            kinds.add(shown);
        }
        ToolAnswer answer = new ToolAnswer();
        AnswerPage.add(answer, "kinds", kinds, arguments);
        return answer.next(
                kinds.isEmpty()
                        ? "upstream_calls: no call has missed"
                        : "upstream_calls with outcome MISSED, then upstream_call shows what differs");
    }

    private static ToolAnswer calls(ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException {
        JsonNode document = ports.aggregator()
                .get(ControlQuery.of("/v1/matches")
                        .with("limit", KEPT)
                        .with("outcome", arguments.text("outcome"))
                        .with("ambiguous", arguments.isSet("ambiguous") ? "true" : "")
                        .with("kinds", 0)
                        .path());
        List<JsonNode> calls = new ArrayList<>();
        for (JsonNode call : document.path("matches")) {
            calls.add(ToolAnswer.chosen(
                    call,
                    "id",
                    "at",
                    "upstream",
                    "form",
                    "outcome",
                    "waitMillis",
                    "by",
                    "ambiguous",
                    "inbound",
                    "why"));
        }
        ToolAnswer answer = new ToolAnswer();
        AnswerPage.add(answer, "calls", calls, arguments);
        return answer.next(
                calls.isEmpty()
                        ? "status: no upstream call fits"
                        : "upstream_call with id " + calls.get(0).path("id").asLong() + " explains one");
    }

    private static ToolAnswer call(ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException {
        JsonNode call = ports.aggregator().get("/v1/matches/" + arguments.number("id"));
        ToolAnswer answer = new ToolAnswer().with("call", call);
        ArrayNode nearest = call.path("nearest") instanceof ArrayNode list ? list : answer.list("nearest");
        return answer.next(
                nearest.isEmpty()
                        ? "exchanges: the inbound exchange that made it has the number inbound"
                        : "nearest names the parts that differ; a rule of the aggregator's settings can ignore them");
    }
}
