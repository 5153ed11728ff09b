package dev.understudy.mcp.steer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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

/** {@code points} and {@code hits}: the points that are set, and what they reported. */
final class HitTools {
    private static final int FRAMES = 8;
    private static final int KEPT = 2_000;

    private HitTools() {}

    static List<ToolDefinition> definitions() {
        return List.of(
                new ToolDefinition(
                        "points",
                        "The log points, snapshots and watched fields, and how often each was passed and reported.",
                        ToolEffect.LOOK,
                        List.of(AnswerPage.limit(50, 20), AnswerPage.cursor()),
                        HitTools::points),
                new ToolDefinition(
                        "hits",
                        "What points reported, oldest first: messages, values, stacks, traces. The cursor goes on with "
                                + "newer ones.",
                        ToolEffect.LOOK,
                        List.of(
                                ToolParameter.text("point", 100, "Only this point's, by its id."),
                                AnswerPage.limit(50, 20),
                                AnswerPage.cursor()),
                        HitTools::hits));
    }

    private static ToolAnswer points(ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException {
        List<JsonNode> points = new ArrayList<>();
        ports.sidecar().get("/v1/orders/points").path("points").forEach(points::add);
        ToolAnswer answer = new ToolAnswer();
        AnswerPage.add(answer, "points", points, arguments);
        return answer.next(
                points.isEmpty()
                        ? "add_log_point, add_snapshot or watch_field adds one"
                        : "hits shows what they reported; remove_point ends one");
    }

    private static ToolAnswer hits(ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException {
        JsonNode document = ports.sidecar()
                .get(ControlQuery.of("/v1/hits")
                        .with("point", arguments.text("point"))
                        .with("after", AnswerPage.cursor(arguments))
                        .with("limit", KEPT)
                        .path());
        ToolAnswer answer = new ToolAnswer();
        ArrayNode hits = answer.list("hits");
        List<JsonNode> all = new ArrayList<>();
        document.path("hits").forEach(hit -> all.add(shortened(hit)));
        long last = AnswerPage.cursor(arguments);
        for (JsonNode hit : all.subList(0, AnswerPage.fitting(all, AnswerPage.limit(arguments)))) {
            last = hit.path("number").asLong();
            hits.add(hit);
        }
        answer.with("left", all.size() - hits.size());
        AnswerPage.more(answer, last);
        return answer.next(
                hits.isEmpty()
                        ? "points shows whether the place was passed; call hits again after traffic"
                        : "exchanges with text set to a hit's trace finds its exchange");
    }

    private static ObjectNode shortened(JsonNode hit) {
        ObjectNode shown = hit.deepCopy();
        JsonNode stack = shown.path("stack");
        shown.remove("stack");
        for (int frame = 0; frame < Math.min(stack.size(), FRAMES); frame++) {
            shown.withArray("/stack").add(stack.get(frame));
        }
        return shown;
    }
}
