package dev.understudy.mcp.look;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.understudy.mcp.port.ControlPorts;
import dev.understudy.mcp.port.ControlQuery;
import dev.understudy.mcp.tool.AnswerPage;
import dev.understudy.mcp.tool.ToolAnswer;
import dev.understudy.mcp.tool.ToolArguments;
import dev.understudy.mcp.tool.ToolDefinition;
import dev.understudy.mcp.tool.ToolEffect;
import dev.understudy.mcp.tool.ToolParameter;
import dev.understudy.sidecar.report.flame.Profile;
import dev.understudy.sidecar.report.flame.RouteProfile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code flame}: where the debug JVM spends its time, or allocates, route by route. */
final class FlameTool {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int HOTTEST = 15;
    /** As the control port allows. */
    private static final long LONGEST_SECONDS = TimeUnit.DAYS.toSeconds(30);

    private FlameTool() {}

    static ToolDefinition definition() {
        return new ToolDefinition(
                "flame",
                "Which methods of the debug JVM are on top of the stacks while it serves a route (wall time), or "
                        + "allocate; with both sides' times.",
                ToolEffect.LOOK,
                List.of(
                        ToolParameter.text("listener", 300, "Only this listener."),
                        ToolParameter.text("route", 300, "Only this route."),
                        ToolParameter.number(
                                "last",
                                0,
                                LONGEST_SECONDS,
                                0,
                                "Only what was sampled in the last so many seconds. 0: since the sidecar's start."),
                        ToolParameter.flag("allocation", "Bytes that are allocated, instead of time."),
                        AnswerPage.limit(20, 5),
                        AnswerPage.cursor()),
                FlameTool::run);
    }

    private static ToolAnswer run(ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException {
        boolean allocation = arguments.isSet("allocation");
        JsonNode document = ports.sidecar()
                .get(ControlQuery.of(allocation ? "/v1/allocations" : "/v1/flame")
                        .with("listener", arguments.text("listener"))
                        .with("route", arguments.text("route"))
                        .with("last", arguments.number("last"))
                        .path());
        Profile profile = allocation ? Profile.ofAllocations(document) : Profile.read(document);
        List<JsonNode> routes = new ArrayList<>();
        for (RouteProfile route : profile.routes()) {
            ObjectNode shown =
                    JSON.createObjectNode().put("route", route.name()).put("times", route.header());
            double all = Math.max(1, route.samples() - route.left());
            for (RouteProfile.Hot hot : route.hottest(HOTTEST)) {
                shown.withArray("/hottest").add(Math.round(1000 * hot.self() / all) / 10.0 + " % " + hot.name());
            }
            routes.add(shown);
        }
        ToolAnswer answer = new ToolAnswer().with("sampled", profile.sampled());
        AnswerPage.add(answer, "routes", routes, arguments);
        return answer.next(
                routes.isEmpty()
                        ? arguments.number("last") > 0
                                ? "flame without last: nothing was sampled in that time, or no agent is there"
                                : "status: flame needs an agent in the debug JVM, and exchanges that are over"
                        : "methods: what each call of a method takes; source shows its code");
    }
}
