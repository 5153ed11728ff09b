package dev.understudy.mcp.look;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.understudy.mcp.tool.ToolAnswer;
import dev.understudy.mcp.tool.ToolArguments;
import dev.understudy.mcp.tool.ToolDefinition;
import dev.understudy.mcp.tool.ToolEffect;
import dev.understudy.mcp.tool.ToolInputException;
import dev.understudy.mcp.tool.ToolParameter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code source}: the lines of a method, from the folders that the start named. Reads nothing outside of them. */
final class SourceTool {
    private static final Pattern METHOD =
            Pattern.compile("([A-Za-z_$][\\w$]*(?:\\.[A-Za-z_$][\\w$]*)*)(?:#([\\w$<>]+)(?:\\(.*\\))?)?");
    private static final List<String> BELOW = List.of("", "src/main/java", "src/test/java", "src/main/kotlin");
    private static final List<String> ENDINGS = List.of(".java", ".kt");
    private static final int LARGEST = 1 << 20;
    private static final int BEFORE = 3;

    private final List<Path> folders;

    SourceTool(List<Path> folders) {
        this.folders = List.copyOf(folders);
    }

    ToolDefinition definition() {
        return new ToolDefinition(
                "source",
                "The source lines of a method or class, from the folders that this server was started with "
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
        Matcher named = METHOD.matcher(arguments.text("method"));
        if (!named.matches()) {
            throw new ToolInputException("method: (expected: com.shop.Cart#total, or a class such as com.shop.Cart)");
        }
        String file = named.group(1).replaceFirst("\\$.*", "").replace('.', '/');
        Path found = find(file);
        if (found == null) {
            throw new ToolInputException("method: no source of " + named.group(1) + " in " + folders
                    + " (expected: --sources with the folder above its packages)");
        }
        if (Files.size(found) > LARGEST) {
            throw new ToolInputException("method: " + found + " is larger than " + LARGEST + " bytes");
        }
        List<String> lines = new String(Files.readAllBytes(found), StandardCharsets.UTF_8)
                .lines()
                .toList();
        String name = named.group(2) == null ? "" : named.group(2);
        long asked = arguments.number("line");
        int first = asked > 0 ? (int) Math.min(asked - 1, lines.size()) : declaration(lines, name, file);
        int from = Math.max(0, first - BEFORE);
        int to = (int) Math.min(lines.size(), from + arguments.number("lines"));
        ToolAnswer answer = new ToolAnswer().with("file", found.toString()).with("of", lines.size());
        ArrayNode shown = answer.list("lines");
        for (int n = from; n < to; n++) {
            shown.add((n + 1) + ": " + lines.get(n));
        }
        return answer.next(
                to < lines.size()
                        ? "source with line " + (to + BEFORE + 1) + " goes on"
                        : "add_log_point or add_snapshot shows its values");
    }

    private @Nullable Path find(String file) throws IOException {
        for (Path folder : folders) {
            Path root = folder.toRealPath();
            for (String below : BELOW) {
                for (String ending : ENDINGS) {
                    Path candidate = root.resolve(below).resolve(file + ending);
                    if (Files.isRegularFile(candidate) && candidate.toRealPath().startsWith(root)) {
                        return candidate.toRealPath();
                    }
                }
            }
        }
        return null;
    }

    /** The first line that looks like the declaration: its name before a parenthesis, no end of a statement. */
    private static int declaration(List<String> lines, String name, String file) {
        String simple = file.substring(file.lastIndexOf('/') + 1);
        String wanted =
                name.isEmpty() || name.startsWith("<") ? simple : name.replaceFirst("^lambda\\$(\\w+)\\$.*", "$1");
        Pattern call = Pattern.compile("\\b" + Pattern.quote(wanted) + "\\s*\\(");
        int mentioned = 0;
        for (int n = 0; n < lines.size(); n++) {
            String line = lines.get(n);
            if (call.matcher(line).find() && !line.strip().startsWith("*")) {
                if (!line.strip().endsWith(";") && !line.contains("return ") && !line.contains("." + wanted)) {
                    return n;
                }
                mentioned = mentioned == 0 ? n : mentioned;
            }
        }
        return mentioned;
    }
}
