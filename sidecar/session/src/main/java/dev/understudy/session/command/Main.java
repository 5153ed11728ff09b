package dev.understudy.session.command;

import dev.understudy.session.doctor.DoctorCommand;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.control.PrintableWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of the session's jar: the list of its commands. */
@Command(
        name = "understudy",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Debug sessions: makes a debug copy of a running service, and removes it again.")
public final class Main {
    private Main() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** Makes the command line with all commands. */
    public static CommandLine commandLine() {
        return new CommandLine(new Main())
                .addSubcommand(BundleCommand.commandLine())
                .addSubcommand(new DebugCommand())
                .addSubcommand(new DoctorCommand())
                .setExecutionExceptionHandler(BundleCommand::failed)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setOut(PrintableWriter.to(System.out))
                .setErr(PrintableWriter.to(System.err));
    }
}
