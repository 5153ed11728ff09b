package dev.understudy.mcp.look;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.understudy.mcp.port.ControlPorts;
import dev.understudy.mcp.port.ControlQuery;
import dev.understudy.mcp.tool.ToolAnswer;
import dev.understudy.mcp.tool.ToolArguments;
import dev.understudy.mcp.tool.ToolDefinition;
import dev.understudy.mcp.tool.ToolEffect;
import dev.understudy.mcp.tool.ToolInputException;
import dev.understudy.mcp.tool.ToolParameter;
import dev.understudy.sidecar.source.SourceFile;
import dev.understudy.sidecar.source.SourceName;
import dev.understudy.sidecar.source.SourceRoots;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code source}: the lines of a method, from the folders and jars that the start named, or else from the sidecar's, as
 * the console shows them.
 */
final class SourceTool {
    private static final int BEFORE = 3;
    /** The sidecar shows one of so many of the lines before the one that is asked for. */
    private static final int ITS_BEFORE = 3;

    private final SourceRoots roots;

    SourceTool(SourceRoots roots) {
        this.roots = roots;
    }

    ToolDefinition definition() {
        return new ToolDefinition(
                "source",
                "The source lines of a method or class, from the folders and jars that this server was started with "
                        + "(--sources), or else from the sidecar's (its setting sources).",
                ToolEffect.LOOK,
                List.of(
                        ToolParameter.text("method", 300, "com.shop.Cart#total, as suspects names it, or a class.")
                                .asRequired(),
                        ToolParameter.number("line", 0, 1_000_000, 0, "Begins around this line. 0: where it is found."),
                        ToolParameter.number("lines", 1, 90, 60, "How many lines.")),
                this::run);
    }

    private ToolAnswer run(ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException, ToolInputException {
        SourceName name;
        try {
            name = SourceName.parse(arguments.text("method"));
        } catch (IllegalArgumentException wrong) {
            throw new ToolInputException(String.valueOf(wrong.getMessage()));
        }
        SourceFile found = roots.find(name);
        return found == null ? ofSidecar(name, arguments, ports) : own(found, name, arguments);
    }

    private static ToolAnswer own(SourceFile found, SourceName name, ToolArguments arguments) {
        List<String> lines = found.lines();
        long asked = arguments.number("line");
        int first = asked > 0 ? (int) Math.min(asked - 1, lines.size()) : found.declaration(name);
        int from = Math.max(0, first - BEFORE);
        int to = (int) Math.min(lines.size(), from + arguments.number("lines"));
        return answer(found.path(), lines.size(), from, lines.subList(from, to));
    }

    /** The same of its sources; the message says where neither has any. */
    private ToolAnswer ofSidecar(SourceName name, ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException {
        long line = arguments.number("line");
        long lines = arguments.number("lines");
        JsonNode found;
        try {
            found = ports.sidecar()
                    .get(ControlQuery.of("/v1/source")
                            .with("method", arguments.text("method"))
                            .with("line", line == 0 ? 0 : Math.max(1, line - BEFORE + lines / ITS_BEFORE))
                            .with("lines", lines)
                            .path());
        } catch (IOException none) {
            throw new IOException(
                    "method: no source of " + name.type()
                            + (roots.paths().isEmpty() ? "" : " in " + roots.paths()) + ", nor of the sidecar: "
                            + none.getMessage() + " (expected: --sources, or the sidecar's setting sources, with the "
                            + "folder above its packages, or a jar of sources)",
                    none);
        }
        List<String> shown = new ArrayList<>();
        found.path("lines").forEach(each -> shown.add(each.asText()));
        return answer(
                found.path("file").asText(),
                found.path("of").asInt(),
                found.path("first").asInt(1) - 1,
                shown);
    }

    /** @param from how many lines are before these */
    private static ToolAnswer answer(String file, int of, int from, List<String> lines) {
        ToolAnswer answer = new ToolAnswer().with("file", file).with("of", of);
        ArrayNode shown = answer.list("lines");
        int number = from;
        for (String line : lines) {
            number++;
            shown.add(number + ": " + line);
        }
        return answer.next(
                number < of
                        ? "source with line " + (number + BEFORE + 1) + " goes on"
                        : "add_log_point or add_snapshot shows its values");
    }
}
