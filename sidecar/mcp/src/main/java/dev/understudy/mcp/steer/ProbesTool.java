package dev.understudy.mcp.steer;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.mcp.port.ControlPorts;
import dev.understudy.mcp.tool.ToolAnswer;
import dev.understudy.mcp.tool.ToolArguments;
import dev.understudy.mcp.tool.ToolDefinition;
import dev.understudy.mcp.tool.ToolEffect;
import dev.understudy.mcp.tool.ToolInputException;
import dev.understudy.mcp.tool.ToolParameter;
import dev.understudy.sidecar.command.control.ControlClient;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** {@code order_probes}: what agents sample before all else, what they leave out, and where they look inside. */
final class ProbesTool {
    private static final List<String> ORDERS = List.of("arm", "disarm", "deepen", "shallow", "reset");

    private ProbesTool() {}

    static ToolDefinition definition() {
        return new ToolDefinition(
                "order_probes",
                "Orders what agents observe. arm: sample these methods first; disarm: leave them out; "
                        + "deepen: branches, "
                        + "values and locks of their classes; shallow: end that; reset: leave them to the controller. "
                        + "Needs the role operate.",
                ToolEffect.STEER,
                List.of(
                        ToolParameter.choice("order", ORDERS, "What to do.").asRequired(),
                        ToolParameter.texts(
                                "patterns",
                                50,
                                "com.shop.Cart#total, com.shop.*, @jakarta.ws.rs.GET, or from:com.shop.Web#get for all "
                                        + "that can be called from there. Without it, reset means all.")),
                ProbesTool::run);
    }

    private static ToolAnswer run(ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException, ToolInputException {
        String order = arguments.text("order");
        List<String> patterns = arguments.texts("patterns");
        ControlClient client = ports.sidecar();
        JsonNode ordered;
        if (!patterns.isEmpty()) {
            ordered = client.post("/v1/orders/probes", Map.of(order, patterns));
        } else if (order.equals("reset")) {
            ordered = client.delete("/v1/orders/probes");
        } else {
            throw new ToolInputException("patterns: missing (only the order reset does without)");
        }
        return OrderAnswer.of(client, ordered).next("methods shows what is armed; order_probes with reset undoes it");
    }
}
