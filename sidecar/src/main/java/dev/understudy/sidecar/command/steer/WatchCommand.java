package dev.understudy.sidecar.command.steer;

import dev.understudy.sidecar.command.control.Exit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code understudy watch}: who reads or writes a field of a running debug JVM's objects. */
@Command(
        name = "watch",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            WatchCommand.Adding.class,
            PointCommands.Listing.class,
            PointCommands.Removing.class,
            PointCommands.Showing.class,
            PointCommands.FollowingHits.class
        },
        description = {
            "Manages watches: a report whenever the application's code reads or writes a field, with "
                    + "the old and new value, the object, method, line and stack. Secrets are masked. Watches "
                    + "have a part of the budget of their own; while it is 0, nothing is reported.",
            ""
        })
public final class WatchCommand {

    /** {@code understudy watch add}. */
    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            description = {
                "Watches a field. The watch is removed again if the agent can't parse it, or the field "
                        + "doesn't exist. Reflective access isn't seen.",
                ""
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:in force",
                "1:no agent is there, or has applied it yet; the watch stays",
                "2:the sidecar or the agent refused it; the message names the place"
            })
    static final class Adding extends AddingCommand {
        @Parameters(
                index = "0",
                paramLabel = "FIELD",
                description = "com.shop.Cart.total, or com.shop.Cart#total; a condition knows it "
                        + "as value, what it held as old, the object as this.")
        private String field = "";

        @ArgGroup(exclusive = true)
        private @Nullable Use use;

        @Override
        String method() {
            int dot = field.lastIndexOf('.');
            return field.contains("#") || dot < 0 ? field : field.substring(0, dot) + "#" + field.substring(dot + 1);
        }

        @Override
        String at() {
            if (use == null || use.writes) {
                return "writes";
            }
            return use.both ? "both" : use.reads ? "reads" : "writes";
        }

        @Override
        String message() {
            return "";
        }
    }

    /** How the field is used. */
    static final class Use {
        @Option(names = "--writes", description = "When it is written (the default).")
        private boolean writes;

        @Option(names = "--reads", description = "When it is read.")
        private boolean reads;

        @Option(names = "--both", description = "When it is read or written.")
        private boolean both;
    }
}
