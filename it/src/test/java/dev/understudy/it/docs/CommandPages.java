package dev.understudy.it.docs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** What each command of the launcher does and takes, as it says so itself. */
final class CommandPages {
    private static final int WIDTH = 110;
    private static final int COMMON = 5;
    private static final Pattern LISTED = Pattern.compile("(\\S+) {2,}(\\S.*)");

    /** What an option of many commands means, by its names. */
    private final Map<String, String> common = new LinkedHashMap<>();

    private CommandPages() throws IOException {
        Map<Map.Entry<String, String>, Integer> seen = new LinkedHashMap<>();
        for (String command : Launcher.commands().keySet()) {
            CommandLine read = Launcher.commandLine(command);
            if (read != null) {
                count(read.getCommandSpec(), seen);
            }
        }
        seen.forEach((option, times) -> {
            if (times >= COMMON) {
                common.merge(option.getKey(), option.getValue(), (one, other) -> one + " Or: " + other);
            }
        });
    }

    /** The generated parts: the list of all commands, the options of many, and a section for each command. */
    static Map<String, Part> parts() throws IOException {
        CommandPages pages = new CommandPages();
        return Map.of(
                "command list", before -> list(),
                "common options", before -> pages.commonOptions(),
                "commands", before -> pages.sections());
    }

    private static void count(CommandSpec spec, Map<Map.Entry<String, String>, Integer> seen) {
        for (OptionSpec option : spec.options()) {
            seen.merge(Map.entry(names(option), meaning(option)), 1, Integer::sum);
        }
        below(spec).values().forEach(command -> count(command, seen));
    }

    private static List<String> list() throws IOException {
        Table table = new Table("command", "what it does");
        Launcher.commands()
                .forEach((command, does) -> table.add("[`" + command + "`](#" + command + ")", Table.cell(does)));
        return table.lines(List.of());
    }

    private List<String> commonOptions() {
        Table table = new Table("option", "meaning");
        common.forEach((names, meaning) -> table.add(names, meaning));
        return table.lines(List.of());
    }

    private List<String> sections() throws IOException {
        List<String> lines = new ArrayList<>();
        for (String command : Launcher.commands().keySet()) {
            CommandLine read = Launcher.commandLine(command);
            if (read != null) {
                section(command, read.getCommandSpec(), lines);
            } else if (command.equals(Launcher.WEAVE)) {
                lines.addAll(List.of("", "## " + command, "", "```text"));
                lines.addAll(Launcher.weaveUsage());
                lines.add("```");
            } else {
                throw new IllegalStateException("the script lists " + command + ", which no jar has");
            }
        }
        lines.add("");
        return lines;
    }

    private void section(String name, CommandSpec spec, List<String> lines) {
        lines.addAll(List.of("", "#".repeat(name.split(" ").length + 1) + " " + name, ""));
        lines.addAll(description(spec));
        lines.add("```text");
        lines.addAll(synopsis(name, spec));
        lines.add("```");
        lines.addAll(options(spec));
        Map<String, String> codes = spec.usageMessage().exitCodeList();
        if (!codes.isEmpty()) {
            lines.addAll(List.of(
                    "",
                    codes.entrySet().stream()
                            .map(code -> "`" + code.getKey() + "` " + plain(code.getValue()))
                            .collect(Collectors.joining("; ", "Exit codes: ", "."))));
        }
        below(spec).forEach((below, command) -> section(name + " " + below, command, lines));
    }

    /** Paragraphs, and the words of a list with what each means. */
    private static List<String> description(CommandSpec spec) {
        List<String> lines = new ArrayList<>();
        StringBuilder paragraph = new StringBuilder();
        String[] texts = String.join("\n", spec.usageMessage().description())
                .replace("%n", "\n")
                .split("\n", -1);
        for (String text : texts) {
            Matcher listed = LISTED.matcher(plain(text));
            boolean item = listed.matches();
            if ((item || text.isBlank()) && !paragraph.isEmpty()) {
                lines.addAll(List.of(paragraph.toString().strip(), ""));
                paragraph.setLength(0);
            }
            if (item) {
                lines.add("- `" + listed.group(1) + "`: " + Table.escaped(listed.group(2)));
            } else if (!text.isBlank()) {
                paragraph.append(Table.escaped(plain(text)).strip()).append(' ');
            }
        }
        String last = paragraph.toString().strip();
        if (!last.isEmpty()) {
            if (!lines.isEmpty() && lines.get(lines.size() - 1).startsWith("- ")) {
                lines.add("");
            }
            lines.add(last);
        }
        if (!lines.isEmpty() && !lines.get(lines.size() - 1).isEmpty()) {
            lines.add("");
        }
        return lines;
    }

    private static List<String> synopsis(String name, CommandSpec spec) {
        spec.usageMessage().width(WIDTH);
        String qualified = spec.qualifiedName(" ");
        return new Help(spec, Help.defaultColorScheme(Help.Ansi.OFF))
                .synopsis(0)
                .lines()
                .map(line ->
                        line.startsWith(qualified) ? "understudy " + name + line.substring(qualified.length()) : line)
                .map(String::stripTrailing)
                .toList();
    }

    private List<String> options(CommandSpec spec) {
        Table table = new Table("option", "meaning");
        for (PositionalParamSpec parameter : spec.positionalParameters()) {
            if (!parameter.hidden()) {
                table.add(Table.code(parameter.paramLabel()), meaning(parameter));
            }
        }
        for (OptionSpec option : spec.options()) {
            boolean shown = !option.hidden() && !common.containsKey(names(option));
            if (shown) {
                table.add(names(option), meaning(option));
            }
        }
        List<String> lines = new ArrayList<>(table.lines(List.of()));
        if (lines.size() == 2) {
            return List.of();
        }
        lines.add(0, "");
        return lines;
    }

    /** The commands below one, each by its first name. */
    private static Map<String, CommandSpec> below(CommandSpec spec) {
        Map<String, CommandSpec> commands = new LinkedHashMap<>();
        new LinkedHashSet<>(spec.subcommands().values())
                .forEach(below -> commands.put(below.getCommandName(), below.getCommandSpec()));
        commands.remove("help");
        return commands;
    }

    private static String names(OptionSpec option) {
        String names = String.join("`, `", option.names());
        return Table.code(option.arity().max() == 0 ? names : names + " " + option.paramLabel());
    }

    private static String meaning(ArgSpec argument) {
        String meaning = Table.cell(plain(String.join(" ", argument.description())));
        return meaning.isEmpty() ? "–" : meaning;
    }

    private static String plain(String text) {
        return text.replace("%n", " ").replace("%%", "%");
    }
}
