package dev.understudy.sidecar.command.steer;

import dev.understudy.sidecar.command.control.Exit;
import picocli.CommandLine.Command;

/** {@code understudy snapshot}: all values at a place of a running debug JVM's code, and how it came there. */
@Command(
        name = "snapshot",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            SnapshotCommand.Adding.class,
            PointCommands.Listing.class,
            PointCommands.Removing.class,
            PointCommands.Showing.class,
            PointCommands.FollowingHits.class
        },
        description = {
            "Has the running debug JVM take all values when it passes a place of its code, "
                    + "without a restart: arguments, fields, what is",
            "returned or thrown, local variables if the class was compiled with them, and "
                    + "the stack. None of the application's code is",
            "called for it, what looks secret is masked, and while the budget is 0 nothing is taken.",
            ""
        })
public final class SnapshotCommand {

    /** {@code understudy snapshot add}. */
    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            description = {
                "Adds a snapshot. One that the agent can't read, or that names what isn't known there, is taken back.",
                ""
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:it is in force",
                "1:no agent is there, or has followed yet; the snapshot stays",
                "2:the sidecar or the agent didn't take it; the place of a mistake is said"
            })
    static final class Adding extends AddingAtPlace {
        @Override
        String message() {
            return "";
        }
    }
}
