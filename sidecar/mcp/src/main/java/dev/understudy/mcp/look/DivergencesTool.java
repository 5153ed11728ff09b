package dev.understudy.mcp.look;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.understudy.mcp.port.ControlPorts;
import dev.understudy.mcp.tool.AnswerPage;
import dev.understudy.mcp.tool.ToolAnswer;
import dev.understudy.mcp.tool.ToolArguments;
import dev.understudy.mcp.tool.ToolDefinition;
import dev.understudy.mcp.tool.ToolEffect;
import dev.understudy.mcp.tool.ToolInputException;
import dev.understudy.mcp.tool.ToolParameter;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** {@code divergences}: what differs, by what it has in common, first causes first. */
final class DivergencesTool {
    private static final String FOLLOWERS_OF = "followers_of";
    private static final String EXCHANGE = "/cause/examples/0/exchange";
    private static final int EXAMPLES = 1;

    private DivergencesTool() {}

    static ToolDefinition definition() {
        return new ToolDefinition(
                "divergences",
                "Replies that differ, grouped by route and place, first causes first: what came first may have caused "
                        + "what followed.",
                ToolEffect.LOOK,
                List.of(
                        ToolParameter.number(
                                FOLLOWERS_OF,
                                1,
                                Long.MAX_VALUE,
                                1,
                                "Lists what may follow from the first cause with this exchange, a group's exchange."),
                        AnswerPage.limit(20, 10),
                        AnswerPage.cursor()),
                DivergencesTool::run);
    }

    private static ToolAnswer run(ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException, ToolInputException {
        JsonNode document = ports.sidecar().get("/v1/divergences");
        if (arguments.has(FOLLOWERS_OF)) {
            return followers(document, arguments);
        }
        List<JsonNode> groups = new ArrayList<>();
        for (JsonNode copy : document.path("copies")) {
            for (JsonNode node : copy.path("firstCauses")) {
                groups.add(group(copy, node));
            }
        }
        ToolAnswer answer = new ToolAnswer();
        for (JsonNode copy : document.path("copies")) {
            answer.with("sentence", copy.path("sentence").asText());
        }
        AnswerPage.add(answer, "groups", groups, arguments);
        return answer.next(
                groups.isEmpty()
                        ? "status: nothing differs so far"
                        : "suspects, or exchanges with kind DIFFERENT and the route of a group; " + FOLLOWERS_OF
                                + " with a group's exchange lists what may follow from it");
    }

    private static ToolAnswer followers(JsonNode document, ToolArguments arguments) throws ToolInputException {
        long exchange = arguments.number(FOLLOWERS_OF);
        boolean isThere = false;
        List<JsonNode> followers = new ArrayList<>();
        for (JsonNode copy : document.path("copies")) {
            for (JsonNode node : copy.path("firstCauses")) {
                if (node.at(EXCHANGE).asLong() == exchange) {
                    isThere = true;
                    addFollowers(followers, copy, node);
                }
            }
        }
        if (!isThere) {
            throw new ToolInputException(FOLLOWERS_OF + ": " + exchange
                    + " (expected: the exchange of a group, as divergences lists it without " + FOLLOWERS_OF + ")");
        }
        ToolAnswer answer = new ToolAnswer().with("of", exchange);
        AnswerPage.add(answer, "followers", followers, arguments);
        return answer.next("exchange of one of them; the first cause comes first, though");
    }

    /** All below {@code node}, each before its own. Not by recursion: nobody bounds how deep they are. */
    private static void addFollowers(List<JsonNode> followers, JsonNode copy, JsonNode node) {
        Deque<JsonNode> open = new ArrayDeque<>();
        push(open, node);
        while (!open.isEmpty()) {
            JsonNode next = open.pop();
            followers.add(group(copy, next));
            push(open, next);
        }
    }

    private static void push(Deque<JsonNode> open, JsonNode node) {
        JsonNode followers = node.path("followers");
        for (int n = followers.size() - 1; n >= 0; n--) {
            open.push(followers.get(n));
        }
    }

    private static ObjectNode group(JsonNode copy, JsonNode node) {
        JsonNode cause = node.path("cause");
        ObjectNode group = ToolAnswer.chosen(cause, "route", "places", "count", "first", "last");
        group.set("listener", copy.path("listener"));
        group.set("debug", copy.path("debug"));
        int examples = 0;
        for (JsonNode example : cause.path("examples")) {
            if (examples++ < EXAMPLES) {
                group.withArray("/examples").add(ToolAnswer.chosen(example, "exchange", "request", "differences"));
            }
        }
        group.set("mayFollow", node.path("mayFollow"));
        group.set("reproduce", node.path("reproduce"));
        group.set("exchange", node.at(EXCHANGE));
        group.put("followers", node.path("followers").size());
        return group;
    }
}
