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

/**
 * {@code understudy probes}: what the agent samples in a running debug JVM, and having it sample more or less of that.
 */
@Command(
        name = "probes",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ProbesCommand.Listing.class,
            ProbesCommand.Arming.class,
            ProbesCommand.Disarming.class,
            ProbesCommand.Deepening.class,
            ProbesCommand.Shallowing.class,
            ProbesCommand.Resetting.class
        },
        description = {
            "Shows what the agent samples in the debug JVM, and changes it without a restart. The "
                    + "budget always holds. Orders apply to debug JVMs that start later, too. They end with the "
                    + "sidecar.",
            ""
        })
public final class ProbesCommand {
    private static final String PATTERN =
            "com.shop.*Cart#total, com.shop.* (all methods), or by an annotation of a method "
                    + "or its class: @jakarta.ws.rs.GET." + " A star is any text; one of several "
                    + "methods is com.shop.Cart#total(int,String), a constructor com.shop.Cart#<init>(int).";

    /** {@code understudy probes list}. */
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = {
                "Shows how many methods are instrumented. For the most called, slowest and costliest, and "
                        + "for those that were ordered: calls, samples, costs of samples (microseconds per second), "
                        + "average and longest time, and for measured calls their CPU time and allocated bytes. The "
                        + "agent settings measure and quota define what is measured.",
                ""
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:done", "1:no agent is there", "2:the sidecar can't be reached"})
    static final class Listing implements Callable<Integer> {
        @Mixin
        private ControlOptions control = new ControlOptions();

        @Parameters(index = "0", arity = "0..1", paramLabel = "TEXT", description = "Only methods whose name has it.")
        private String text = "";

        @Option(
                names = "--sort",
                paramLabel = "KEY",
                description = "What comes first: ${COMPLETION-CANDIDATES}, which is called most, "
                        + "whose samples cost most, whose" + " calls take most time together, or of which one took "
                        + "longest (default: ${DEFAULT-VALUE}).")
        private MethodTable.Key key = MethodTable.Key.CALLS;

        @Option(names = "--json", description = "Prints what /v1/agent answers, as JSON.")
        private boolean json;

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws IOException, InterruptedException {
            ControlClient client = control.client(spec);
            PrintWriter out = spec.commandLine().getOut();
            JsonNode reports = client.get("/v1/agent");
            Map<String, JsonNode> present = new HashMap<>();
            for (JsonNode agent : client.get("/v1/orders").path("agents")) {
                present.put(agent.path("name").asText(), agent.path("standing"));
            }
            if (json) {
                out.println(reports.toPrettyString());
            } else {
                print(reports, present, out);
            }
            out.flush();
            return present.isEmpty() ? Exit.ATTENTION : Exit.FINE;
        }

        private void print(JsonNode reports, Map<String, JsonNode> present, PrintWriter out) {
            List<String> gone = new ArrayList<>();
            String between = "";
            for (JsonNode report : reports.path("agents")) {
                String name = report.path("name").asText();
                JsonNode standing = present.get(name);
                if (standing == null) {
                    gone.add(name);
                } else {
                    out.print(between);
                    print(report, standing, reports.has("shared"), out);
                    between = System.lineSeparator();
                }
            }
            if (present.isEmpty()) {
                out.println("no agent is there: none has reported for ten seconds"
                        + (gone.isEmpty() ? "" : "; before that " + String.join(", ", gone) + " did"));
            }
        }

        private void print(JsonNode report, JsonNode standing, boolean shared, PrintWriter out) {
            out.printf(
                    Locale.ROOT,
                    "%s: %d classes, %d probes, %s; budget %.3f of %.3f cores, spent %.3f, at a price of %.2g; %s%n",
                    report.path("name").asText(),
                    report.path("classes").asLong(),
                    report.path("probes").asLong(),
                    report.path("state").asText(),
                    report.path("budget").asDouble(),
                    report.path("budgetMax").asDouble(),
                    report.path("spent").asDouble(),
                    report.path("nu").asDouble(),
                    report.path("why").asText());
            String ordered = standing.path("probes").asText();
            if (!ordered.isEmpty()) {
                out.println("ordered: " + ordered);
            }
            printSecondLevel(report, standing.path("deepen").asText(), out);
            if (shared) {
                out.println("looks at " + standing.path("parts").asText());
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
            printTooLarge(report, out);
            printMethods(report, shared, out);
        }

        private static void printTooLarge(JsonNode report, PrintWriter out) {
            List<String> named = new ArrayList<>();
            report.path("tooLargeMethods").forEach(method -> named.add(method.asText()));
            if (!named.isEmpty()) {
                long more = report.path("tooLarge").asLong() - named.size();
                out.println("not woven, since they would become too large for the JIT or the class file: "
                        + String.join(", ", named) + (more > 0 ? " and " + more + " more" : ""));
            }
        }

        private static void printSecondLevel(JsonNode report, String standing, PrintWriter out) {
            List<String> classes = new ArrayList<>();
            report.path("secondLevelBy")
                    .properties()
                    .forEach(one ->
                            classes.add(one.getKey() + " (" + one.getValue().asText() + ")"));
            if (!classes.isEmpty() || standing.contains("; ")) {
                out.println("second level: " + standing + (classes.isEmpty() ? "" : ": " + String.join(", ", classes)));
            }
        }

        private void printMethods(JsonNode report, boolean shared, PrintWriter out) {
            JsonNode methods = report.path("methods");
            List<JsonNode> shown = new ArrayList<>();
            for (JsonNode method : methods) {
                if (method.path("method").asText().contains(text)) {
                    shown.add(method);
                }
            }
            if (methods.isEmpty()) {
                out.println("none was called yet");
            } else if (shown.isEmpty()) {
                out.println("none of the " + methods.size() + " that are told of has " + text + " in its name");
            } else {
                MethodTable.print(shown, key, shared, out);
            }
            long all = report.path("probes").asLong();
            if (all > methods.size() && !methods.isEmpty()) {
                out.println(
                        methods.size() + " told of, of " + report.path("called").asLong() + " that were called and "
                                + all + " that are woven: those with most calls, cost, time, or the longest call");
            }
        }
    }

    /** {@code understudy probes arm}. */
    @Command(
            name = "arm",
            mixinStandardHelpOptions = true,
            description = {"Samples methods before all others, within the budget.", ""},
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:done", "1:not every agent has applied it, or none is there", "2:the sidecar refused it"})
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
            return client.post("/v1/orders/probes", Map.of("arm", named(patterns, roots, spec)));
        }
    }

    /** {@code understudy probes disarm}. */
    @Command(
            name = "disarm",
            mixinStandardHelpOptions = true,
            description = {"Excludes methods: their calls are neither counted nor sampled.", ""},
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:done", "1:not every agent has applied it, or none is there", "2:the sidecar refused it"})
    static final class Disarming extends OrderCommand {
        @Parameters(arity = "1..*", paramLabel = "PATTERN", description = PATTERN)
        private List<String> patterns = List.of();

        @Override
        JsonNode order(ControlClient client, PrintWriter out) throws IOException, InterruptedException {
            return client.post("/v1/orders/probes", Map.of("disarm", patterns));
        }
    }

    /** {@code understudy probes deepen}. */
    @Command(
            name = "deepen",
            mixinStandardHelpOptions = true,
            description = {
                "Looks inside the classes of methods: which way jumps go, values of arguments and "
                        + "results, locks. The agent setting deep limits how many classes at a time. Your classes "
                        + "come before those that the search for suspects selects. A class that costs too much "
                        + "pauses for some minutes.",
                ""
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:done", "1:not every agent has applied it, or none is there", "2:the sidecar refused it"})
    static final class Deepening extends OrderCommand {
        @Parameters(arity = "0..*", paramLabel = "PATTERN", description = PATTERN)
        private List<String> patterns = List.of();

        @Option(
                names = "--reachable-from",
                paramLabel = "PATTERN",
                description = "All methods that can be called from these. Short for the pattern from:PATTERN.")
        private List<String> roots = List.of();

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        JsonNode order(ControlClient client, PrintWriter out) throws IOException, InterruptedException {
            return client.post("/v1/orders/probes", Map.of("deepen", named(patterns, roots, spec)));
        }
    }

    /** {@code understudy probes shallow}. */
    @Command(
            name = "shallow",
            mixinStandardHelpOptions = true,
            description = {"Ends deepen. Classes that the search for suspects selects stay.", ""},
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:done", "1:not every agent has applied it, or none is there", "2:the sidecar refused it"})
    static final class Shallowing extends OrderCommand {
        @Parameters(arity = "1..*", paramLabel = "PATTERN", description = "As it was ordered.")
        private List<String> patterns = List.of();

        @Override
        JsonNode order(ControlClient client, PrintWriter out) throws IOException, InterruptedException {
            return client.post("/v1/orders/probes", Map.of("shallow", patterns));
        }
    }

    private static List<String> named(List<String> patterns, List<String> roots, CommandSpec spec) {
        List<String> all = new ArrayList<>(patterns);
        roots.forEach(root -> all.add("from:" + root));
        if (all.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "nothing is named (expected: PATTERN, or --reachable-from=PATTERN)");
        }
        return all;
    }

    /** {@code understudy probes reset}. */
    @Command(
            name = "reset",
            mixinStandardHelpOptions = true,
            description = {"Returns methods to the controller, and their classes to the search for suspects.", ""},
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:done", "1:not every agent has applied it, or none is there", "2:the sidecar refused it"})
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
