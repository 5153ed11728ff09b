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
import java.util.List;

/** {@code exchanges} and {@code exchange}: the newest ones, and all that is known of one. */
final class ExchangeTools {
    private static final List<String> KINDS = List.of("SAME", "EQUIVALENT", "DIFFERENT", "NOT_COMPARED");
    private static final int LONGEST_NAME = 300;

    private ExchangeTools() {}

    static List<ToolDefinition> definitions() {
        return List.of(
                new ToolDefinition(
                        "exchanges",
                        "The newest exchanges that fit a filter, newest first, with verdict, status and times of both "
                                + "sides.",
                        ToolEffect.LOOK,
                        List.of(
                                ToolParameter.choice("kind", KINDS, "Only this verdict."),
                                ToolParameter.text("route", LONGEST_NAME, "Only this route, as an answer names it."),
                                ToolParameter.text("listener", LONGEST_NAME, "Only this listener."),
                                ToolParameter.text("debug", LONGEST_NAME, "Only this debug JVM."),
                                ToolParameter.flag("failing", "Only those that fail by a rule of failure_labels."),
                                ToolParameter.text("status", 10, "A status of either side: 404, 5xx, or differs."),
                                ToolParameter.text(
                                        "text", 200, "What the request, a difference or the trace id contains."),
                                AnswerPage.limit(50, 20),
                                AnswerPage.cursor()),
                        ExchangeTools::list),
                OneExchangeTool.definition());
    }

    private static ToolAnswer list(ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException {
        ControlQuery query = ControlQuery.of("/v1/exchanges").with("limit", AnswerPage.limit(arguments));
        for (String filter : new String[] {"kind", "route", "listener", "debug", "status", "text"}) {
            query.with(filter, arguments.text(filter));
        }
        if (arguments.isSet("failing")) {
            query.with("failing", "true");
        }
        if (AnswerPage.cursor(arguments) > 0) {
            query.with("before", AnswerPage.cursor(arguments));
        }
        JsonNode found = ports.sidecar().get(query.path());
        ToolAnswer answer = new ToolAnswer();
        ArrayNode list = answer.list("exchanges");
        for (JsonNode row : found.path("exchanges")) {
            list.add(ToolAnswer.chosen(
                    row,
                    "exchange",
                    "kind",
                    "reason",
                    "failing",
                    "route",
                    "request",
                    "listener",
                    "debug",
                    "productionStatus",
                    "debugStatus",
                    "productionMillis",
                    "debugMillis",
                    "differenceCount"));
        }
        if (found.path("next").asLong() > 0) {
            AnswerPage.more(answer, found.path("next").asLong());
        }
        return list.isEmpty()
                ? answer.with("none", "no exchange fits").next("exchanges without a filter, or status")
                : answer.next(
                        "exchange with exchange " + list.get(0).path("exchange").asLong() + " shows both replies");
    }
}
