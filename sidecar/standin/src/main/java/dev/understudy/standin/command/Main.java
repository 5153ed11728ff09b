package dev.understudy.standin.command;

import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.control.PrintableWriter;
import java.io.IOException;
import java.nio.file.FileSystemException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

/** The command line of the stand-ins' jar. */
@Command(
        name = "understudy",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        exitCodeOnExecutionException = Exit.WRONG,
        description = "Plays services by models of them.")
public final class Main {
    private Main() {}

    /** Runs a command and ends the process with its exit code. */
    public static void main(String[] args) {
        int code = Exit.WRONG;
        try {
            code = commandLine().execute(args);
        } catch (OutOfMemoryError large) {
            System.err.println("more than memory holds (expected: up to "
                    + (Runtime.getRuntime().maxMemory() >> 20) + " MiB; JDK_JAVA_OPTIONS=-Xmx8g allows more): "
                    + large.getMessage());
        }
        System.exit(code);
    }

    /** What can't be read or written ends a command with a line; anything else is a defect and shows where. */
    private static int failed(Exception problem, CommandLine command, ParseResult parsed) throws Exception {
        if (!(problem instanceof IOException)) {
            throw problem;
        }
        // of a file that isn't there or mayn't be read, the message is its name alone
        boolean bare = problem.getMessage() == null
                || (problem instanceof FileSystemException file && file.getReason() == null);
        command.getErr().println(bare ? problem.toString() : problem.getMessage());
        return Exit.WRONG;
    }

    /** All commands of this jar. */
    public static CommandLine commandLine() {
        return new CommandLine(new Main())
                .addSubcommand(new StandInCommand())
                .addSubcommand(new LoadCommand())
                .addSubcommand(new GraphCommand())
                .setExecutionExceptionHandler(Main::failed)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setErr(PrintableWriter.to(System.err));
    }
}
