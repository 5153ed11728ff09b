package dev.understudy.sidecar.command.steer;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.command.control.ControlClient;
import dev.understudy.sidecar.command.control.ControlOptions;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code understudy probes}: what the agent samples in a running debug JVM, and having it sample more or less of that. */
@Command(
        name = "probes",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ProbesCommand.Listing.class,
            ProbesCommand.Arming.class,
            ProbesCommand.Disarming.class,
            ProbesCommand.Resetting.class
        },
        description = {
            "Says what the agent samples in the debug JVM, and has it sample some methods always or never, without a restart.",
            "The budget holds in any case. A debug JVM that begins anew gets the same orders; a sidecar that does has none.",
            ""
        })
public final class ProbesCommand {
    private static final String PATTERN =
            "com.shop.*Cart#total, com.shop.* (all methods), or by an annotation of a method or its class: @jakarta.ws.rs.GET."
                    + " A star is any text.";

    /** {@code understudy probes list}. */
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = {
                "Says how many methods are woven, and of those that are called most, or were ordered: how often each is called",
                "and sampled, what a sample costs, how long calls take, and of those that were measured what they took of a core",
                "and allocated. The agent's settings measure and quota say what is measured, and how many calls of a method are",
                "sampled in any case.",
                ""
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:done", "1:no agent is there", "2:the sidecar couldn't be asked"})
    static final class Listing implements Callable<Integer> {
        @Mixin
        private ControlOptions control = new ControlOptions();

        @Parameters(index = "0", arity = "0..1", paramLabel = "TEXT", description = "Only methods whose name has it.")
        private String text = "";

        @Option(names = "--json", description = "Prints what /v1/agent answers, as JSON.")
        private boolean json;

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws IOException, InterruptedException {
            ControlClient client = control.client(spec);
            PrintWriter out = spec.commandLine().getOut();
            JsonNode reports = client.get("/v1/agent");
            Map<String, String> present = new HashMap<>();
            for (JsonNode agent : client.get("/v1/orders").path("agents")) {
                present.put(
                        agent.path("name").asText(),
                        agent.path("standing").path("probes").asText());
            }
            if (json) {
                out.println(reports.toPrettyString());
            }
            for (JsonNode report : reports.path("agents")) {
                String ordered = present.get(report.path("name").asText());
                if (!json && ordered != null) {
                    print(report, ordered, out);
                }
            }
            if (present.isEmpty()) {
                out.println("no agent is there");
            }
            out.flush();
            return present.isEmpty() ? Exit.ATTENTION : Exit.FINE;
        }

        private void print(JsonNode report, String standing, PrintWriter out) {
            out.printf(
                    Locale.ROOT,
                    "%s: %d classes, %d probes, %s; budget %.3f of %.3f cores, spent %.3f; %s%n",
                    report.path("name").asText(),
                    report.path("classes").asLong(),
                    report.path("probes").asLong(),
                    report.path("state").asText(),
                    report.path("budget").asDouble(),
                    report.path("budgetMax").asDouble(),
                    report.path("spent").asDouble(),
                    report.path("why").asText());
            if (!standing.isEmpty()) {
                out.println("ordered: " + standing);
            }
            JsonNode measure = report.path("measure");
            if (measure.path("what").size() > 0) {
                out.printf(
                        "measured beside time: 1 in %d samples, at %d ns; counters %s; quota %s%n",
                        measure.path("oneIn").asLong(),
                        measure.path("costNanos").asLong(),
                        measure.path("counters").asText("off"),
                        report.path("quota").path("perMethod").asText("off"));
            }
            out.printf(
                    "%12s %9s %9s %10s %10s %10s  %s%n",
                    "calls/s", "sampled", "cost ns", "mean us", "cpu us", "alloc B", "method");
            for (JsonNode method : report.path("methods")) {
                String name = method.path("method").asText();
                if (name.contains(text)) {
                    String ordered = method.path("ordered").asText();
                    out.printf(
                            Locale.ROOT,
                            "%12.1f %8.2f%% %9.0f %10.1f %10s %10s  %s%s%s%s%n",
                            method.path("hitsPerSecond").asDouble(),
                            100 * method.path("rate").asDouble(),
                            method.path("costNanos").asDouble(),
                            method.path("meanMicros").asDouble(),
                            mean(method.path("cpuMicros"), "%.1f"),
                            mean(method.path("allocatedBytes"), "%.0f"),
                            name,
                            ordered.isEmpty() ? "" : " (" + ordered + ")",
                            method.path("counted").asBoolean(true) ? "" : " (closed: counting it costs too much)",
                            counters(method.path("counters")));
                }
            }
            long more = report.path("probes").asLong() - report.path("methods").size();
            if (more > 0) {
                out.println("and " + more + " that are called less often, or never yet");
            }
        }
    }

    /** A dash where no call was measured. */
    private static String mean(JsonNode mean, String format) {
        return mean.isNumber() ? String.format(Locale.ROOT, format, mean.asDouble()) : "-";
    }

    private static String counters(JsonNode counters) {
        StringBuilder text = new StringBuilder();
        counters.properties()
                .forEach(counter ->
                        text.append(' ').append(counter.getKey()).append('=').append(mean(counter.getValue(), "%.0f")));
        return text.toString();
    }

    /** {@code understudy probes arm}. */
    @Command(
            name = "arm",
            mixinStandardHelpOptions = true,
            description = {"Has methods sampled before all others, within the budget.", ""},
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:done", "1:not every agent has done it, or none is there", "2:the sidecar didn't take it"
            })
    static final class Arming extends OrderCommand {
        @Parameters(arity = "0..*", paramLabel = "PATTERN", description = PATTERN)
        private List<String> patterns = List.of();

        @Option(
                names = "--reachable-from",
                paramLabel = "PATTERN",
                description =
                        "All methods that can be called from these, in however many steps, as far as class files tell."
                                + " Short for the pattern from:PATTERN, by which it is reset.")
        private List<String> roots = List.of();

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        JsonNode order(ControlClient client, PrintWriter out) throws IOException, InterruptedException {
            List<String> all = new ArrayList<>(patterns);
            roots.forEach(root -> all.add("from:" + root));
            if (all.isEmpty()) {
                throw new ParameterException(
                        spec.commandLine(), "nothing is named (expected: PATTERN, or --reachable-from=PATTERN)");
            }
            return client.post("/v1/orders/probes", Map.of("arm", all));
        }
    }

    /** {@code understudy probes disarm}. */
    @Command(
            name = "disarm",
            mixinStandardHelpOptions = true,
            description = {"Has methods sampled no more. Their calls are still counted.", ""},
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:done", "1:not every agent has done it, or none is there", "2:the sidecar didn't take it"
            })
    static final class Disarming extends OrderCommand {
        @Parameters(arity = "1..*", paramLabel = "PATTERN", description = PATTERN)
        private List<String> patterns = List.of();

        @Override
        JsonNode order(ControlClient client, PrintWriter out) throws IOException, InterruptedException {
            return client.post("/v1/orders/probes", Map.of("disarm", patterns));
        }
    }

    /** {@code understudy probes reset}. */
    @Command(
            name = "reset",
            mixinStandardHelpOptions = true,
            description = {"Leaves methods to the controller again.", ""},
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:done", "1:not every agent has done it, or none is there", "2:the sidecar didn't take it"
            })
    static final class Resetting extends OrderCommand {
        @Parameters(arity = "0..*", paramLabel = "PATTERN", description = "As it was ordered (default: all that was).")
        private List<String> patterns = List.of();

        @Override
        JsonNode order(ControlClient client, PrintWriter out) throws IOException, InterruptedException {
            return patterns.isEmpty()
                    ? client.delete("/v1/orders/probes")
                    : client.post("/v1/orders/probes", Map.of("reset", patterns));
        }
    }
}
