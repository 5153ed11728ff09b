package dev.understudy.sidecar.command.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.report.ring.AgentRingFile;
import dev.understudy.sidecar.report.ring.RingRecord;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code understudy ring}: what an agent has noted in its file. */
@Command(
        name = "ring",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = RingCommand.Show.class,
        description = {
            "Reads an agent's ring file, which holds the latest samples and decisions (agent settings "
                    + "ring=FILE and ring-size=16MiB). This also works while it is written, and after the JVM "
                    + "was killed.",
            ""
        })
public final class RingCommand {
    /** {@code understudy ring show}. */
    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = {
                "Prints sampled calls, costs of samples, orders, decisions of the controller, and what "
                        + "was dropped, oldest first.",
                ""
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:there is something",
                "1:there is nothing, or nothing of what was asked for",
                "2:it couldn't be read"
            })
    static final class Show implements Callable<Integer> {
        @Parameters(paramLabel = "FILE", description = "The ring.")
        private Path file = Path.of("");

        @Option(names = "--method", paramLabel = "TEXT", description = "Only what is about methods whose name has it.")
        private String method = "";

        @Option(
                names = "--kind",
                paramLabel = "KIND",
                split = ",",
                description = "Only those: ${COMPLETION-CANDIDATES}, with commas between them.")
        private Set<RingRecord.Kind> kinds = EnumSet.allOf(RingRecord.Kind.class);

        @Option(names = "--last", paramLabel = "N", description = "Only so many, the newest (default: all).")
        private int last = Integer.MAX_VALUE;

        @Option(names = "--json", description = "Prints each as a line of JSON.")
        private boolean json;

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws IOException {
            PrintWriter out = spec.commandLine().getOut();
            AgentRingFile ring = AgentRingFile.read(file);
            List<RingRecord> asked = ring.records().stream()
                    .filter(record -> kinds.contains(record.kind()))
                    .filter(record -> method.isEmpty()
                            || (record.isOfMethod() && record.subject().contains(method)))
                    .toList();
            ObjectMapper mapper = new ObjectMapper();
            for (RingRecord record :
                    asked.subList(asked.size() - Math.min(asked.size(), Math.max(0, last)), asked.size())) {
                out.println(json ? mapper.writeValueAsString(record.fields()) : record.line());
            }
            if (!json) {
                out.println(asked.size() + " of " + ring.records().size() + " records of process " + ring.pid()
                        + (ring.torn() == 0 ? "" : "; " + ring.torn() + " weren't whole"));
            }
            out.flush();
            return asked.isEmpty() ? Exit.ATTENTION : Exit.FINE;
        }
    }
}
