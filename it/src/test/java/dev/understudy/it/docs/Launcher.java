package dev.understudy.it.docs;

import dev.understudy.example.demo.DemoCommand;
import dev.understudy.kubernetes.command.KubernetesCommand;
import dev.understudy.mcp.command.McpCommand;
import dev.understudy.observatory.command.AskCommand;
import dev.understudy.observatory.command.BottlenecksCommand;
import dev.understudy.observatory.command.NodeCommand;
import dev.understudy.observatory.command.StoreCommand;
import dev.understudy.session.command.BundleCommand;
import dev.understudy.session.command.DebugCommand;
import dev.understudy.session.doctor.DoctorCommand;
import dev.understudy.sidecar.command.Main;
import dev.understudy.standin.command.GraphCommand;
import dev.understudy.standin.command.LoadCommand;
import dev.understudy.standin.command.StandInCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** The scripts {@code understudy}: the commands that they list, and the command lines that these have. */
final class Launcher {
    /** The one command that picocli doesn't read. */
    static final String WEAVE = "weave";

    /** A checkout's has a command of its own; the distribution's has all others. */
    private static final List<String> SCRIPTS =
            List.of("understudy", "sidecar/distribution/src/main/archive/bin/understudy");

    private static final Pattern LISTED = Pattern.compile("^ {2}([a-z]+) {2,}(\\S.*)$", Pattern.MULTILINE);

    private Launcher() {}

    /** All commands with what the scripts say of them, in their order. */
    static Map<String, String> commands() throws IOException {
        Map<String, String> commands = new LinkedHashMap<>();
        for (String name : SCRIPTS) {
            String script = Files.readString(Repository.root().resolve(name));
            String usage = script.substring(script.indexOf("\nCommands"), script.indexOf("\nEND"));
            Matcher listed = LISTED.matcher(usage);
            while (listed.find()) {
                commands.put(listed.group(1), listed.group(2));
            }
        }
        return commands;
    }

    /** How a command is read; null for none, and for {@link #WEAVE}. */
    static @Nullable CommandLine commandLine(String command) {
        return switch (command) {
            case "demo" -> new CommandLine(new DemoCommand());
            case "aggregator" ->
                new CommandLine(new dev.understudy.aggregator.command.Main()).setCaseInsensitiveEnumValuesAllowed(true);
            case "bundle" -> BundleCommand.commandLine();
            case "debug" -> new CommandLine(new DebugCommand()).setCaseInsensitiveEnumValuesAllowed(true);
            case "doctor" -> new CommandLine(new DoctorCommand());
            case "mcp" -> new CommandLine(new McpCommand()).setCaseInsensitiveEnumValuesAllowed(true);
            case "node" -> new CommandLine(new NodeCommand());
            case "bottlenecks" -> new CommandLine(new BottlenecksCommand());
            case "store" -> new CommandLine(new StoreCommand());
            case "ask" -> new CommandLine(new AskCommand()).setCaseInsensitiveEnumValuesAllowed(true);
            case "graph" -> new CommandLine(new GraphCommand());
            case "standin" -> new CommandLine(new StandInCommand());
            case "kubernetes" -> new CommandLine(new KubernetesCommand());
            case "load" -> new CommandLine(new LoadCommand());
            default -> sidecars().get(command);
        };
    }

    /**
     * Reads a command line without running it.
     *
     * @param words the command first, one that {@link #commandLine} knows
     * @throws CommandLine.ParameterException if it can't be typed so
     */
    static void parse(List<String> words) {
        String command = words.get(0);
        CommandLine own = sidecars().containsKey(command) ? null : commandLine(command);
        CommandLine read = own == null ? Main.commandLine(Map.of(), new CountDownLatch(1)) : own;
        read.parseArgs(words.subList(own == null ? 0 : 1, words.size()).toArray(String[]::new));
    }

    /** The commands of the sidecar's jar. */
    static Map<String, CommandLine> sidecars() {
        return Main.commandLine(Map.of(), new CountDownLatch(1)).getSubcommands();
    }

    /** What {@link #WEAVE} prints as its help. */
    static List<String> weaveUsage() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8);
        weave(printed, WEAVE, "--help");
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static void weave(PrintStream printed, String... words) {
        try {
            AgentClasses.named("ahead.WeaveCommand")
                    .getMethod("run", Path.class, String[].class, PrintStream.class, PrintStream.class)
                    .invoke(null, Path.of("agent.jar"), words, printed, printed);
        } catch (ReflectiveOperationException failed) {
            throw new IllegalStateException("the agent's weave command", failed);
        }
    }
}
