package dev.understudy.mcp.command;

import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.control.PrintableWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of the MCP server's jar. */
@Command(
        name = "understudy",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Offers a running sidecar to programs.")
public final class Main {
    private Main() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main())
                .addSubcommand(new McpCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setErr(PrintableWriter.to(System.err))
                .execute(args));
    }
}
