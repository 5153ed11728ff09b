package dev.understudy.kubernetes.command;

import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.control.PrintableWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of the jar for Kubernetes. */
@Command(
        name = "understudy",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Puts an understudy into manifests.")
public final class Main {
    private Main() {}

    /** Runs a command and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** All commands of this jar. */
    public static CommandLine commandLine() {
        return new CommandLine(new Main())
                .addSubcommand(new KubernetesCommand())
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                // manifests are UTF-8 whatever the terminal is
                .setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8))
                .setErr(PrintableWriter.to(System.err));
    }
}
