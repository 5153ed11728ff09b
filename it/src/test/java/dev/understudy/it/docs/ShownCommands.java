package dev.understudy.it.docs;

import dev.understudy.it.docs.Markdown.Fence;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParameterException;

/** Whether the commands in fenced blocks are ones that the programs would take; nothing is run. */
final class ShownCommands {
    private static final Pattern COMMAND =
            Pattern.compile("^(?:\\$ )?(?:[A-Z][A-Z0-9_]*=\\S* )*(?:exec |sudo )?(?:\\./)?understudy (.+)$");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\\\?[^\\s'\"])+|\\s+");
    private static final Pattern NAME = Pattern.compile("[a-z]+");
    private static final Pattern PLACE_HOLDER = Pattern.compile("[A-Z]{2,}");
    private static final Pattern END = Pattern.compile("\\||>|>>|<|2>.*|&|&&|;|#.*");
    private static final Pattern AGENT = Pattern.compile("-javaagent:\\S*understudy-agent\\.jar=(\\S+)");

    private ShownCommands() {}

    static List<String> problems(Markdown document) {
        List<String> problems = new ArrayList<>();
        for (Fence fence : document.fences()) {
            if (!fence.language().equals("text")) {
                problems(fence, problems);
            }
        }
        return problems;
    }

    private static void problems(Fence fence, List<String> problems) {
        String continued = "";
        for (int i = 0; i < fence.lines().size(); i++) {
            String line = continued + fence.lines().get(i).strip();
            if (line.endsWith("\\")) {
                continued = line.substring(0, line.length() - 1);
                continue;
            }
            continued = "";
            String problem = problem(line);
            if (problem != null) {
                problems.add(fence.document().at(fence.line() + 1 + i, line + ": " + problem));
            }
        }
    }

    /** What is wrong with a line of a shell; null if nothing is, or it is another program's. */
    static @Nullable String problem(String line) {
        Matcher agent = AGENT.matcher(line);
        if (agent.find() && !AgentSettings.problems(agent.group(1)).isEmpty()) {
            return AgentSettings.problems(agent.group(1));
        }
        Matcher shown = COMMAND.matcher(line);
        if (!shown.matches() || shown.group(1).contains("…")) {
            return null;
        }
        List<String> words = words(shown.group(1));
        String command = words.isEmpty() ? "" : words.get(0);
        List<String> arguments = words.subList(Math.min(1, words.size()), words.size());
        if (!NAME.matcher(command).matches()) {
            return null; // a picture, COMMAND, or --help
        }
        if (command.equals(Launcher.WEAVE)) {
            boolean right =
                    arguments.stream().anyMatch(word -> word.startsWith("--cache=")) || arguments.contains("--help");
            return right ? null : "--cache=DIR is missing";
        }
        if (Launcher.commandLine(command) == null) {
            return "no such command: " + command;
        }
        try {
            Launcher.parse(words);
            return null;
        } catch (ParameterException wrong) {
            return wrong.getMessage();
        }
    }

    /** The words of a command line up to a pipe, a redirection or a comment; names of place-holders are numbers. */
    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean quoted = false;
        Matcher piece = WORD.matcher(line + " ");
        while (piece.find()) {
            if (!piece.group().isBlank()) {
                boolean inQuotes = piece.group(1) != null || piece.group(2) != null;
                quoted |= inQuotes;
                word.append(piece.group(1) != null ? piece.group(1) : inQuotes ? piece.group(2) : piece.group());
            } else if (!word.isEmpty() || quoted) {
                if (!quoted && END.matcher(word).matches()) {
                    return words;
                }
                boolean named = !quoted && PLACE_HOLDER.matcher(word).matches() && !words.isEmpty();
                words.add(named ? "1" : word.toString());
                word.setLength(0);
                quoted = false;
            }
        }
        return words;
    }
}
