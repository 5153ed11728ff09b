package dev.understudy.mcp.look;

import com.fasterxml.jackson.databind.node.ArrayNode;
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
import java.util.List;

/** {@code source}: the lines of a method, from the folders and jars that the start named. */
final class SourceTool {
    private static final int BEFORE = 3;

    private final SourceRoots roots;

    SourceTool(SourceRoots roots) {
        this.roots = roots;
    }

    ToolDefinition definition() {
        return new ToolDefinition(
                "source",
                "The source lines of a method or class, from the folders and jars that this server was started with "
                        + "(--sources).",
                ToolEffect.LOOK,
                List.of(
                        ToolParameter.text("method", 300, "com.shop.Cart#total, as suspects names it, or a class.")
                                .asRequired(),
                        ToolParameter.number("line", 0, 1_000_000, 0, "Begins around this line. 0: where it is found."),
                        ToolParameter.number("lines", 1, 90, 60, "How many lines.")),
                (arguments, ports) -> run(arguments));
    }

    private ToolAnswer run(ToolArguments arguments) throws IOException, ToolInputException {
        SourceName name;
        try {
            name = SourceName.parse(arguments.text("method"));
        } catch (IllegalArgumentException wrong) {
            throw new ToolInputException(String.valueOf(wrong.getMessage()));
        }
        SourceFile found = roots.find(name);
        if (found == null) {
            throw new ToolInputException("method: no source of " + name.type() + " in " + roots.paths()
                    + " (expected: --sources with the folder above its packages, or a jar of sources)");
        }
        List<String> lines = found.lines();
        long asked = arguments.number("line");
        int first = asked > 0 ? (int) Math.min(asked - 1, lines.size()) : found.declaration(name);
        int from = Math.max(0, first - BEFORE);
        int to = (int) Math.min(lines.size(), from + arguments.number("lines"));
        ToolAnswer answer = new ToolAnswer().with("file", found.path()).with("of", lines.size());
        ArrayNode shown = answer.list("lines");
        for (int n = from; n < to; n++) {
            shown.add((n + 1) + ": " + lines.get(n));
        }
        return answer.next(
                to < lines.size()
                        ? "source with line " + (to + BEFORE + 1) + " goes on"
                        : "add_log_point or add_snapshot shows its values");
    }
}
