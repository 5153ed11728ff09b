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
import dev.understudy.sidecar.command.steer.Following;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** {@code add_log_point}, {@code add_snapshot}, {@code watch_field} and {@code remove_point}. */
final class PointTools {
    private static final String ROLE = " Needs the role operate.";
    private static final ToolParameter METHOD = ToolParameter.text(
                    "method", 300, "com.shop.Cart#total, or with types: com.shop.Cart#total(int,String).")
            .asRequired();
    private static final ToolParameter AT =
            ToolParameter.text("at", 20, "entry, exit, throw or line:N. Without it, exit.");
    private static final List<ToolParameter> LIMITS = List.of(
            ToolParameter.text("when", 1_000, "Only when this condition holds: this.items.size > 3 && coupon != null."),
            ToolParameter.number("rate", 1, 1_000, 10, "Hits a second at most."),
            ToolParameter.number("quota", 1, 1_000_000, 1_000, "Hits at most in all, in each debug JVM."));

    private PointTools() {}

    static List<ToolDefinition> definitions() {
        return List.of(
                new ToolDefinition(
                        "add_log_point",
                        "Reports a message with values at a place of the debug JVM's code, each time it is passed."
                                + ROLE,
                        ToolEffect.STEER,
                        and(
                                METHOD,
                                AT,
                                ToolParameter.text(
                                                "message",
                                                1_000,
                                                "A text with values in braces: total of {this.id} is {return}.")
                                        .asRequired()),
                        (arguments, ports) -> add(
                                arguments.text("method"), at(arguments), arguments.text("message"), arguments, ports)),
                new ToolDefinition(
                        "add_snapshot",
                        "Takes all values and the stack at a place of the debug JVM's code, each time it is passed."
                                + ROLE,
                        ToolEffect.STEER,
                        and(METHOD, AT),
                        (arguments, ports) -> add(arguments.text("method"), at(arguments), "", arguments, ports)),
                new ToolDefinition(
                        "watch_field",
                        "Reports each write (or read) of a field in the debug JVM, with old value and stack." + ROLE,
                        ToolEffect.STEER,
                        and(
                                ToolParameter.text("field", 300, "com.shop.Cart#total.")
                                        .asRequired(),
                                ToolParameter.choice(
                                        "uses", List.of("writes", "reads", "both"), "Which uses. Without it, writes.")),
                        (arguments, ports) -> add(
                                field(arguments.text("field")),
                                arguments.has("uses") ? arguments.text("uses") : "writes",
                                "",
                                arguments,
                                ports)),
                new ToolDefinition(
                        "remove_point",
                        "Removes a log point, snapshot or watched field." + ROLE,
                        ToolEffect.STEER,
                        List.of(ToolParameter.text("id", 100, "Its id in points.")
                                .asRequired()),
                        PointTools::remove));
    }

    private static List<ToolParameter> and(ToolParameter... own) {
        return Stream.concat(Stream.of(own), LIMITS.stream()).toList();
    }

    private static String at(ToolArguments arguments) {
        return arguments.has("at") ? arguments.text("at") : "exit";
    }

    private static String field(String field) {
        int dot = field.lastIndexOf('.');
        return field.contains("#") || dot < 0 ? field : field.substring(0, dot) + "#" + field.substring(dot + 1);
    }

    private static ToolAnswer add(String method, String at, String message, ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException, ToolInputException {
        Map<String, Object> point = new LinkedHashMap<>();
        point.put("method", method);
        point.put("at", at);
        point.put("snapshot", message.isEmpty());
        point.put("message", message);
        point.put("when", arguments.text("when"));
        point.put("rate", arguments.number("rate"));
        point.put("quota", arguments.number("quota"));
        ControlClient client = ports.sidecar();
        JsonNode ordered = client.post("/v1/orders/points", point);
        String id = ordered.path("added").asText();
        JsonNode orders = Following.settled(client, ordered);
        String problem = problem(orders, id);
        if (!problem.isEmpty()) {
            client.delete("/v1/orders/points/" + ControlClient.segment(id));
            throw new ToolInputException(problem + " (the point was removed again; methods lists names)");
        }
        return OrderAnswer.of(orders, ordered.path("revision").asLong())
                .with("id", id)
                .next("hits with point " + id + ", once traffic has passed there; remove_point ends it");
    }

    /** What an agent says against the point; "" if none does. */
    private static String problem(JsonNode orders, String id) {
        for (JsonNode agent : orders.path("agents")) {
            for (JsonNode problem : agent.path("problems")) {
                if (problem.asText().startsWith("points: " + id + ": ")) {
                    return problem.asText();
                }
            }
        }
        return "";
    }

    private static ToolAnswer remove(ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException {
        ControlClient client = ports.sidecar();
        JsonNode ordered = client.delete("/v1/orders/points/" + ControlClient.segment(arguments.text("id")));
        return OrderAnswer.of(client, ordered).next("points lists those that are left");
    }
}
