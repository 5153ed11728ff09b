package dev.understudy.session.command;

import dev.understudy.session.bundle.BundleCreateCommand;
import dev.understudy.session.bundle.BundleInspectCommand;
import dev.understudy.session.bundle.BundleKeyCommand;
import dev.understudy.session.bundle.replay.BundleReplayCommand;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.nio.file.FileSystemException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

/** {@code understudy bundle}: a failure in one file, which replays anywhere. */
@Command(
        name = "bundle",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Takes a failure home: recorded traffic and the upstreams' recorded replies in one file.")
public final class BundleCommand {
    private BundleCommand() {}

    /** Makes it with the commands below it. */
    public static CommandLine commandLine() {
        return new CommandLine(new BundleCommand())
                .addSubcommand(new BundleCreateCommand())
                .addSubcommand(new BundleInspectCommand())
                .addSubcommand(new BundleReplayCommand())
                .addSubcommand(new BundleKeyCommand())
                .setExecutionExceptionHandler(BundleCommand::failed);
    }

    /** What can't be read, written or run ends a command with a line; anything else is a defect and shows where. */
    static int failed(Exception problem, CommandLine command, ParseResult parsed) throws Exception {
        boolean stopped = Thread.interrupted() || problem instanceof InterruptedException;
        if (!stopped && !(problem instanceof IOException)) {
            throw problem;
        }
        // of a file that mayn't be read, the message is its name alone
        boolean bare = problem.getMessage() == null
                || (problem instanceof FileSystemException file && file.getReason() == null);
        String line = bare ? problem.toString() : problem.getMessage();
        command.getErr().println(stopped ? "stopped; what was begun is ended" : line);
        command.getErr().flush();
        return Exit.WRONG;
    }
}
