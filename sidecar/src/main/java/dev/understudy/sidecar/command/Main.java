package dev.understudy.sidecar.command;

import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.control.PrintableWriter;
import dev.understudy.sidecar.command.ide.IdeCommand;
import dev.understudy.sidecar.command.live.CaCommand;
import dev.understudy.sidecar.command.live.CompareCommand;
import dev.understudy.sidecar.command.live.ConsoleCommand;
import dev.understudy.sidecar.command.live.EventsCommand;
import dev.understudy.sidecar.command.live.FaultCommand;
import dev.understudy.sidecar.command.live.MatchCommand;
import dev.understudy.sidecar.command.live.ResyncCommand;
import dev.understudy.sidecar.command.live.StatusCommand;
import dev.understudy.sidecar.command.live.SuspectsCommand;
import dev.understudy.sidecar.command.live.TeeCommand;
import dev.understudy.sidecar.command.live.TopCommand;
import dev.understudy.sidecar.command.report.FlameCommand;
import dev.understudy.sidecar.command.report.LabelsCommand;
import dev.understudy.sidecar.command.report.NoiseCommand;
import dev.understudy.sidecar.command.report.ReportCommand;
import dev.understudy.sidecar.command.report.RingCommand;
import dev.understudy.sidecar.command.steer.AgentCommand;
import dev.understudy.sidecar.command.steer.AttachCommand;
import dev.understudy.sidecar.command.steer.LogCommand;
import dev.understudy.sidecar.command.steer.PatchCommand;
import dev.understudy.sidecar.command.steer.ProbesCommand;
import dev.understudy.sidecar.command.steer.SnapshotCommand;
import dev.understudy.sidecar.command.steer.WatchCommand;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The command line of the sidecar's jar: the list of its commands. */
@Command(
        name = "understudy",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Live debugging of a JVM service: runs the sidecar, and shows and steers a running one.",
        footer = {"", "Options without a command belong to the command sidecar."})
public final class Main implements Runnable {
    private static final List<String> ABOUT_ALL = List.of("-h", "--help", "-V", "--version");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private Main() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(run(args, System.getenv(), new CountDownLatch(1)));
    }

    /** @param stopped ends a serving sidecar once it is counted down */
    static int run(String[] args, Map<String, String> environment, CountDownLatch stopped) {
        String[] line = withCommand(args);
        Map<String, Supplier<Object>> all = commands(environment, stopped);
        Supplier<Object> named = all.get(line[0]);
        return commandLine(named == null ? all.values() : List.of(named)).execute(line);
    }

    /**
     * Makes the command line with all commands.
     *
     * @param stopped ends a serving sidecar once it is counted down
     */
    public static CommandLine commandLine(Map<String, String> environment, CountDownLatch stopped) {
        return commandLine(commands(environment, stopped).values());
    }

    /** The commands by their names. Making one costs a start time, so that only the one is made that is asked for. */
    static Map<String, Supplier<Object>> commands(Map<String, String> environment, CountDownLatch stopped) {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("sidecar", () -> new SidecarCommand(environment, stopped));
        commands.put("lanes", () -> new LanesCommand(environment));
        commands.put("tap", TapCommand::new);
        commands.put("status", StatusCommand::new);
        commands.put("record", () -> new RecordCommand(stopped));
        commands.put("inspect", InspectCommand::new);
        commands.put("replay", ReplayCommand::new);
        commands.put("reduce", ReduceCommand::new);
        commands.put("suspects", SuspectsCommand::new);
        commands.put("compare", CompareCommand::new);
        commands.put("top", TopCommand::new);
        commands.put("console", ConsoleCommand::new);
        commands.put("ide", IdeCommand::new);
        commands.put("events", EventsCommand::new);
        commands.put("report", ReportCommand::new);
        commands.put("flame", FlameCommand::new);
        commands.put("ring", RingCommand::new);
        commands.put("noise", NoiseCommand::new);
        commands.put("labels", LabelsCommand::new);
        commands.put("tee", TeeCommand::new);
        commands.put("resync", ResyncCommand::new);
        commands.put("attach", AttachCommand::new);
        commands.put("agent", AgentCommand::new);
        commands.put("probes", ProbesCommand::new);
        commands.put("patch", PatchCommand::new);
        commands.put("log", LogCommand::new);
        commands.put("snapshot", SnapshotCommand::new);
        commands.put("watch", WatchCommand::new);
        commands.put("match", MatchCommand::new);
        commands.put("fault", FaultCommand::new);
        commands.put("ca", CaCommand::new);
        commands.put("simulate", SimulateCommand::new);
        return commands;
    }

    private static CommandLine commandLine(Collection<Supplier<Object>> commands) {
        CommandLine all = new CommandLine(new Main());
        commands.forEach(command -> all.addSubcommand(command.get()));
        return all.setCaseInsensitiveEnumValuesAllowed(true)
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setOut(PrintableWriter.to(System.out))
                .setErr(PrintableWriter.to(System.err))
                .setExecutionExceptionHandler(Main::failed);
    }

    /** What can't be asked, read or written ends a command with a line; anything else is a defect and shows where. */
    private static int failed(Exception problem, CommandLine command, ParseResult parsed) throws Exception {
        if (!(problem instanceof IOException)) {
            throw problem;
        }
        String why = String.valueOf(problem.getMessage());
        if (problem instanceof FileAlreadyExistsException) {
            why += " exists already";
        } else if (problem instanceof NoSuchFileException) {
            why += " doesn't exist";
        } else if (problem instanceof AccessDeniedException) {
            why += " may not be read or written";
        }
        command.getErr().println(command.getCommandSpec().qualifiedName(" ") + ": " + why);
        return Exit.WRONG;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }

    static String[] withCommand(String[] args) {
        boolean named = args.length > 0 && (!args[0].startsWith("-") || ABOUT_ALL.contains(args[0]));
        return named
                ? args
                : Stream.concat(Stream.of("sidecar"), Arrays.stream(args)).toArray(String[]::new);
    }
}
