package dev.understudy.distribution;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A completion function for zsh. picocli's script for bash runs there as well, but shows no descriptions and has to be
 * sourced.
 */
final class ZshCompletion {
    private final List<String> paths = new ArrayList<>();
    private final List<String> commands = new ArrayList<>();
    private final List<String> values = new ArrayList<>();

    private ZshCompletion() {}

    /** The function for a command with all below it. */
    static String of(CommandSpec root) {
        ZshCompletion completion = new ZshCompletion();
        completion.command("", root);
        return """
                #compdef understudy
                # understudy's completions for zsh; made of the commands themselves

                _understudy() {
                  local at='' word
                  local -a commands options values
                  for word in "${(@)words[2,CURRENT-1]}"; do
                    case "$at $word" in
                %s
                    esac
                  done
                  case "$at" in
                %s
                  esac
                  case "$at $words[CURRENT-1]" in
                %s
                  esac
                  if (( $#values )); then
                    _describe value values
                  elif [[ $words[CURRENT] == -* ]]; then
                    _describe -o option options
                  elif (( $#commands )); then
                    _describe command commands
                  else
                    _files
                  fi
                }

                _understudy "$@"
                """.formatted(
                        String.join("\n", completion.paths),
                        String.join("\n", completion.commands),
                        String.join("\n", completion.values));
    }

    private void command(String path, CommandSpec spec) {
        Map<String, CommandSpec> below = CommandTree.below(spec);
        List<String> names = new ArrayList<>();
        below.forEach((name, command) -> {
            String whole = (path + " " + name).strip();
            paths.add("      " + quoted(path + " " + name) + ") at=" + quoted(whole) + " ;;");
            names.add(described(name, command.usageMessage().description()));
        });
        List<String> options = new ArrayList<>();
        for (OptionSpec option : CommandTree.options(spec)) {
            for (String name : option.names()) {
                options.add(described(name, option.description()));
                List<String> known = FishCompletion.values(option);
                if (!known.isEmpty()) {
                    String all = String.join(
                            " ", known.stream().map(ZshCompletion::quoted).toList());
                    values.add("    " + quoted(path + " " + name) + ") values=(" + all + ") ;;");
                }
            }
        }
        commands.add("    %s)\n      commands=(%s)\n      options=(%s)\n      ;;"
                .formatted(quoted(path), String.join(" ", names), String.join(" ", options)));
        below.forEach((name, command) -> command((path + " " + name).strip(), command));
    }

    private static String described(String name, String... description) {
        return quoted(
                name.replace(":", "\\:") + ":" + CommandTree.brief(description).replace(":", "\\:"));
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
