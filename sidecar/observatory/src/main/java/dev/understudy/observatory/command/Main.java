package dev.understudy.observatory.command;

import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.control.PrintableWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of the observatory's jar. */
@Command(
        name = "understudy",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Shows where the milliseconds go.")
public final class Main {
    private Main() {}

    /** Runs a command and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** All commands of this jar. */
    public static CommandLine commandLine() {
        return new CommandLine(new Main())
                .addSubcommand(new NodeCommand())
                .addSubcommand(new BottlenecksCommand())
                .addSubcommand(new StoreCommand())
                .addSubcommand(new AskCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setErr(PrintableWriter.to(System.err));
    }
}
