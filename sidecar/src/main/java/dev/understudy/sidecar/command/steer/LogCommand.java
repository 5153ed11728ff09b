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
            "Has the running debug JVM tell a line whenever it passes a place of its code, "
                    + "without a restart: arguments, fields, what is",
            "returned or thrown, local variables. None of the application's code is called "
                    + "for it, what looks secret is masked, and",
            "while the budget is 0 nothing is told.",
            ""
        })
public final class LogCommand {

    /** {@code understudy log add}. */
    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            description = {
                "Adds a log point. One that the agent can't read, or that names what isn't known there, is taken back.",
                ""
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:it is in force",
                "1:no agent is there, or has followed yet; the point stays",
                "2:the sidecar or the agent didn't take it; the place of a mistake is said"
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
