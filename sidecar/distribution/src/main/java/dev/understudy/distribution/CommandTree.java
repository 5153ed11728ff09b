package dev.understudy.distribution;

import dev.understudy.mcp.command.McpCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** All commands of {@code bin/understudy} below one, whichever jar each is in. */
final class CommandTree {
    private static final Pattern OPTION = Pattern.compile("^ {2}(--[a-z-]+)=(\\S+) +(\\S.*)$");
    private static final String CONTINUED = "      ";

    private CommandTree() {}

    /**
     * Makes it.
     *
     * @param agent the agent's jar, which is run for what it says of its command {@code weave}
     * @throws IOException if that can't be run
     */
    static CommandLine all(Path agent) throws IOException {
        CommandLine all = dev.understudy.sidecar.command.Main.commandLine(Map.of(), new CountDownLatch(1));
        dev.understudy.session.command.Main.commandLine().getSubcommands().forEach(all::addSubcommand);
        all.addSubcommand("mcp", new CommandLine(new McpCommand()));
        dev.understudy.observatory.command.Main.commandLine().getSubcommands().forEach(all::addSubcommand);
        dev.understudy.standin.command.Main.commandLine().getSubcommands().forEach(all::addSubcommand);
        dev.understudy.kubernetes.command.Main.commandLine().getSubcommands().forEach(all::addSubcommand);
        CommandLine aggregator = new CommandLine(new dev.understudy.aggregator.command.Main());
        // its jar, started by itself, has a longer one
        aggregator.getCommandSpec().name("aggregator");
        all.addSubcommand("aggregator", aggregator);
        all.addSubcommand("weave", new CommandLine(weave(helpOf(agent))));
        all.getCommandSpec()
                .usageMessage()
                .description("Live debugging of production JVM services.")
                .footer();
        return all;
    }

    /** The visible commands right below one, each by its first name. */
    static Map<String, CommandSpec> below(CommandSpec spec) {
        Map<String, CommandSpec> commands = new LinkedHashMap<>();
        spec.subcommands().forEach((name, command) -> {
            CommandSpec below = command.getCommandSpec();
            if (!below.usageMessage().hidden() && name.equals(below.name())) {
                commands.put(name, below);
            }
        });
        return commands;
    }

    /** The options that are shown. */
    static List<OptionSpec> options(CommandSpec spec) {
        return spec.options().stream().filter(option -> !option.hidden()).toList();
    }

    /** What a text of picocli says, without its markup. */
    static String plain(String... lines) {
        return CommandLine.Help.Ansi.OFF
                .string(String.join("\n", lines).replace("%n", "\n"))
                .replace("%%", "%");
    }

    /** The first sentence of a text, in one line, without its full stop. */
    static String brief(String... lines) {
        String text = plain(lines).replaceAll("\\s+", " ").strip();
        String first = text.replaceFirst("(?<=[A-Za-z0-9)])[.:;] .*$", "");
        return first.endsWith(".") ? first.substring(0, first.length() - 1) : first;
    }

    /** The agent's jar has no picocli: what it prints is read. */
    private static CommandSpec weave(List<String> help) {
        CommandSpec spec = CommandSpec.create().name("weave").mixinStandardHelpOptions(false);
        List<String> description = new ArrayList<>();
        Map<String, OptionSpec.Builder> options = new LinkedHashMap<>();
        Map<String, String> meanings = new LinkedHashMap<>();
        String last = "";
        for (String line : help) {
            Matcher option = OPTION.matcher(line);
            if (option.matches()) {
                last = option.group(1);
                meanings.put(last, option.group(3));
                options.put(
                        last,
                        OptionSpec.builder(last)
                                .paramLabel(option.group(2))
                                .type(last.equals("--cache") ? Path.class : String.class));
            } else if (line.startsWith(CONTINUED) && !last.isEmpty()) {
                meanings.merge(last, line.strip(), (before, more) -> before + " " + more);
            } else if (!line.startsWith("Usage:") && !line.startsWith("  ")) {
                last = "";
                description.add(line.strip());
            }
        }
        options.forEach((name, option) -> spec.addOption(
                option.description(meanings.getOrDefault(name, "")).build()));
        spec.addPositional(PositionalParamSpec.builder()
                .paramLabel("PATH")
                .arity("1..*")
                .type(Path[].class)
                .description("jars and folders of class files")
                .build());
        spec.usageMessage().description(description.toArray(String[]::new));
        return spec;
    }

    private static List<String> helpOf(Path agent) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        agent.toString(),
                        "weave",
                        "--help")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        process.getOutputStream().close();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        if (lines.isEmpty()) {
            throw new IOException(agent + ": weave --help says nothing (expected: the agent's jar)");
        }
        return lines;
    }
}
