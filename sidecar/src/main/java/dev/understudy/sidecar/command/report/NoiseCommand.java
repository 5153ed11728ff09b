package dev.understudy.sidecar.command.report;

import dev.understudy.sidecar.command.control.ControlOptions;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.control.PrivateFile;
import dev.understudy.sidecar.report.Session;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code understudy noise}: rules about what may differ. */
@Command(
        name = "noise",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            NoiseRuleCommands.Listing.class,
            NoiseRuleCommands.Trying.class,
            NoiseRuleCommands.Adding.class,
            NoiseRuleCommands.Removing.class,
            NoiseCommand.Exporting.class
        },
        description = {"Manages rules for differences between production and debug JVM that mean nothing.", ""})
public final class NoiseCommand {

    /** {@code understudy noise export}. */
    @Command(
            name = "export",
            mixinStandardHelpOptions = true,
            description = {
                "Writes a file for comparison.noise-rules: the rules in force with how often each "
                        + "applied, what the sidecar has learned, and proposals for places that differed again and "
                        + "again with the same kind of value.",
                "",
                "Proposals are right only if the debug JVM was expected to answer as production does: the "
                        + "same build, no faults, no lost input. Read them before you use them.",
                ""
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:written", "2:the sidecar can't be reached, or the file couldn't be written"})
    static final class Exporting implements Callable<Integer> {
        @Mixin
        private ControlOptions control = new ControlOptions();

        @Option(names = "--file", paramLabel = "FILE", description = "A new file (default: standard output).")
        private @Nullable Path file;

        @Option(names = "--debug", paramLabel = "NAME", description = "Of that debug JVM (default: the first).")
        private @Nullable String debug;

        @Option(
                names = "--least",
                defaultValue = "20",
                paramLabel = "N",
                description = "In how many exchanges a place has to differ (default: ${DEFAULT-VALUE}).")
        private long least;

        @Option(
                names = "--share",
                defaultValue = "50",
                paramLabel = "PERCENT",
                description = "In which share of its route's exchanges (default: ${DEFAULT-VALUE}).")
        private double share;

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws IOException, InterruptedException {
            Session session = Session.read(control.client(spec).get("/v1/report"));
            String chosen = session.copies().stream()
                    .map(Session.Copy::debug)
                    .filter(name -> debug == null || debug.equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IOException(
                            debug == null ? "no listener has a debug JVM" : "no debug JVM is called " + debug));
            String rules = new NoiseExport(chosen, least, share / 100).write(session);
            if (file == null) {
                PrintWriter out = spec.commandLine().getOut();
                out.print(rules);
                out.flush();
            } else {
                PrivateFile.create(file, rules.getBytes(StandardCharsets.UTF_8));
            }
            return Exit.FINE;
        }
    }
}
