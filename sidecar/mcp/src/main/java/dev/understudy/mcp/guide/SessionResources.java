package dev.understudy.mcp.guide;

import dev.understudy.mcp.look.LookTools;
import dev.understudy.mcp.tool.ToolAction;
import dev.understudy.mcp.tool.ToolDefinition;
import dev.understudy.mcp.tool.ToolEffect;
import dev.understudy.mcp.tool.ToolRunner;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncResourceSpecification;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import java.util.List;

/** What clients read without a tool: the session's state, its figures and its report. */
public final class SessionResources {
    private static final String TYPE = "application/json";

    private SessionResources() {}

    /** All of them, read as tools are: within the time, and with an error as text. */
    public static List<SyncResourceSpecification> of(ToolRunner runner) {
        return List.of(
                resource(
                        runner,
                        "understudy://session/status",
                        "status",
                        "The session's state.",
                        (arguments, ports) -> LookTools.status(ports)),
                resource(
                        runner,
                        "understudy://session/measurements",
                        "measurements",
                        "Times of production and of each debug JVM, rates, windows, what agents take, and what was "
                                + "lost.",
                        (arguments, ports) -> LookTools.measurements(ports)),
                resource(
                        runner,
                        "understudy://session/report",
                        "report",
                        "What the session comes to so far.",
                        (arguments, ports) -> LookTools.report(ports)));
    }

    private static SyncResourceSpecification resource(
            ToolRunner runner, String uri, String name, String description, ToolAction action) {
        ToolDefinition reading = new ToolDefinition(name, description, ToolEffect.LOOK, List.of(), action);
        Resource resource = Resource.builder(uri, name)
                .description(description)
                .mimeType(TYPE)
                .build();
        return new SyncResourceSpecification(resource, (context, request) -> {
            ToolRunner.Outcome outcome = runner.run(reading, null);
            return ReadResourceResult.builder(List.of(TextResourceContents.builder(uri, outcome.text())
                            .mimeType(outcome.isError() ? "text/plain" : TYPE)
                            .build()))
                    .build();
        });
    }
}
