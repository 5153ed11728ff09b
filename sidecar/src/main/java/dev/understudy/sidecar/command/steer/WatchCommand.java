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
            "Has the running debug JVM tell whenever the application's code reads or writes "
                    + "a field, without a restart: what it held, what it",
            "holds then, of which object, in which method and line, and the stack. What "
                    + "looks secret is masked. Watched fields have a part",
            "of the budget of their own; while it is 0 nothing is told.",
            ""
        })
public final class WatchCommand {

    /** {@code understudy watch add}. */
    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            description = {
                "Watches a field. What the agent can't read, or a field that isn't there, is "
                        + "taken back. Use by reflection isn't seen.",
                ""
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:it is in force",
                "1:no agent is there, or has followed yet; the watch stays",
                "2:the sidecar or the agent didn't take it; the place of a mistake is said"
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
