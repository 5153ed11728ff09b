package dev.understudy.sidecar.command.steer;

import dev.understudy.sidecar.command.control.Exit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code understudy log}: lines that a running debug JVM tells at places of its code, as if they stood there. */
@Command(
        name = "log",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            LogCommand.Adding.class,
            PointCommands.Listing.class,
            PointCommands.Removing.class,
            PointCommands.Showing.class,
            PointCommands.FollowingHits.class
        },
        description = {
            "Manages log points: a line whenever the running debug JVM passes a place of its code, "
                    + "with arguments, fields, return value, exception and local variables. No code of the "
                    + "application is called. Secrets are masked. While the budget is 0, nothing is logged.",
            ""
        })
public final class LogCommand {

    /** {@code understudy log add}. */
    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            description = {
                "Adds a log point. It is removed again if the agent can't parse it, or doesn't know a " + "name in it.",
                ""
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:in force",
                "1:no agent is there, or has applied it yet; the point stays",
                "2:the sidecar or the agent refused it; the message names the place"
            })
    static final class Adding extends AddingAtPlace {
        @Option(
                names = "--message",
                required = true,
                paramLabel = "TEXT",
                description = "What is told, with values in braces: \"total of {this.id} is {return}\".")
        private String message = "";

        @Override
        String message() {
            return message;
        }
    }
}
