package dev.understudy.distribution;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A completion script for fish, which picocli has none for: a line for each command and each option. */
final class FishCompletion {
    private static final String BEGIN = "complete -c understudy -n \"__understudy_at '%s'\"";

    private final List<String> paths = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();

    private FishCompletion() {}

    /** The script for a command with all below it. */
    static String of(CommandSpec root) {
        FishCompletion completion = new FishCompletion();
        completion.command("", root);
        return """
                # understudy's completions for fish; made of the commands themselves

                # Whether the words so far name this command.
                function __understudy_at
                    set -l words (commandline -opc)
                    set -e words[1]
                    set -l path ''
                    for word in $words
                        switch "$path $word"
                %s
                        end
                    end
                    test "$path" = "$argv[1]"
                end

                %s
                """.formatted(String.join("\n", completion.paths), String.join("\n", completion.lines));
    }

    private void command(String path, CommandSpec spec) {
        Map<String, CommandSpec> below = CommandTree.below(spec);
        below.forEach((name, command) -> {
            String whole = (path + " " + name).strip();
            paths.add("            case %s\n                set path %s"
                    .formatted(quoted(path + " " + name), quoted(whole)));
            lines.add(BEGIN.formatted(path) + " -f -a " + name + " -d "
                    + quoted(CommandTree.brief(command.usageMessage().description())));
        });
        CommandTree.options(spec).forEach(option -> lines.add(option(path, option)));
        below.forEach((name, command) -> command((path + " " + name).strip(), command));
    }

    private static String option(String path, OptionSpec option) {
        StringBuilder line = new StringBuilder(BEGIN.formatted(path));
        for (String name : option.names()) {
            line.append(name.startsWith("--") ? " -l " : " -s ").append(name.replaceFirst("^--?", ""));
        }
        if (option.arity().max() > 0) {
            List<String> values = values(option);
            if (values.isEmpty()) {
                line.append(" -r");
            } else {
                line.append(" -x -a ").append(quoted(String.join(" ", values)));
            }
        }
        return line + " -d " + quoted(CommandTree.brief(option.description()));
    }

    /** What the option may be, as far as it says so; enums are typed in small letters. */
    static List<String> values(OptionSpec option) {
        List<String> values = new ArrayList<>();
        if (option.completionCandidates() != null) {
            boolean isEnum = option.type().isEnum();
            option.completionCandidates().forEach(value -> values.add(isEnum ? value.toLowerCase(Locale.ROOT) : value));
        }
        return values;
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
