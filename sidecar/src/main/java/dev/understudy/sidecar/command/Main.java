package dev.understudy.sidecar.command;

import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.control.PrintableWriter;
import dev.understudy.sidecar.command.ide.IdeCommand;
import dev.understudy.sidecar.command.live.CaCommand;
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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
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
        return commandLine(environment, stopped).execute(withCommand(args));
    }

    /**
     * Makes the command line with all commands.
     *
     * @param stopped ends a serving sidecar once it is counted down
     */
    public static CommandLine commandLine(Map<String, String> environment, CountDownLatch stopped) {
        CommandLine all = new CommandLine(new Main())
                .addSubcommand(new SidecarCommand(environment, stopped))
                .addSubcommand(new LanesCommand(environment))
                .addSubcommand(new TapCommand())
                .addSubcommand(new StatusCommand())
                .addSubcommand(new RecordCommand(stopped))
                .addSubcommand(new InspectCommand())
                .addSubcommand(new ReplayCommand())
                .addSubcommand(new ReduceCommand())
                .addSubcommand(new SuspectsCommand())
                .addSubcommand(new TopCommand())
                .addSubcommand(new ConsoleCommand())
                .addSubcommand(new IdeCommand())
                .addSubcommand(new EventsCommand())
                .addSubcommand(new ReportCommand())
                .addSubcommand(new FlameCommand())
                .addSubcommand(new RingCommand())
                .addSubcommand(new NoiseCommand())
                .addSubcommand(new LabelsCommand())
                .addSubcommand(new TeeCommand())
                .addSubcommand(new ResyncCommand())
                .addSubcommand(new AttachCommand())
                .addSubcommand(new AgentCommand())
                .addSubcommand(new ProbesCommand())
                .addSubcommand(new PatchCommand())
                .addSubcommand(new LogCommand())
                .addSubcommand(new SnapshotCommand())
                .addSubcommand(new WatchCommand())
                .addSubcommand(new MatchCommand())
                .addSubcommand(new FaultCommand())
                .addSubcommand(new CaCommand())
                .addSubcommand(new SimulateCommand());
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
