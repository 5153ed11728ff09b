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
            "Manages snapshots: all values when the running debug JVM passes a place of its code, "
                    + "with the stack. Local variables are included if the class was compiled with them. No "
                    + "code of the application is called. Secrets are masked. While the budget is 0, nothing is "
                    + "taken.",
            ""
        })
public final class SnapshotCommand {

    /** {@code understudy snapshot add}. */
    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            description = {
                "Adds a snapshot. It is removed again if the agent can't parse it, or doesn't know a name " + "in it.",
                ""
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:in force",
                "1:no agent is there, or has applied it yet; the snapshot stays",
                "2:the sidecar or the agent refused it; the message names the place"
            })
    static final class Adding extends AddingAtPlace {
        @Override
        String message() {
            return "";
        }
    }
}
