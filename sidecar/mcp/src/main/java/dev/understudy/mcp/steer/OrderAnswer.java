package dev.understudy.mcp.steer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.understudy.mcp.tool.ToolAnswer;
import dev.understudy.sidecar.command.control.ControlClient;
import dev.understudy.sidecar.command.steer.Following;
import java.io.IOException;

/** What is answered to an order: how far each agent is with it, once they have followed or some time is over. */
public final class OrderAnswer {
    private OrderAnswer() {}

    /**
     * Waits half a minute at most for the agents that are there.
     *
     * @param ordered what the order was answered
     */
    public static ToolAnswer of(ControlClient client, JsonNode ordered) throws IOException, InterruptedException {
        return of(Following.settled(client, ordered), ordered.path("revision").asLong());
    }

    /** @param orders what {@code /v1/orders} answered */
    static ToolAnswer of(JsonNode orders, long revision) {
        ToolAnswer answer = new ToolAnswer().with("revision", revision);
        ArrayNode agents = answer.list("agents");
        for (JsonNode agent : orders.path("agents")) {
            ObjectNode shown = ToolAnswer.chosen(agent, "name", "standing", "problems");
            shown.put("follows", agent.path("revision").asLong() >= revision);
            agents.add(shown);
        }
        if (agents.isEmpty()) {
            answer.with("note", "no agent is there to follow it; it holds for those that come");
        }
        return answer;
    }
}
