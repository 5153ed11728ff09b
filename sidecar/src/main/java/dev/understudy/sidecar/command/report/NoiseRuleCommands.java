package dev.understudy.sidecar.command.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.command.control.ControlClient;
import dev.understudy.sidecar.command.control.ControlOptions;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code understudy noise list, try, add} and {@code remove}: rules of a running sidecar. */
final class NoiseRuleCommands {
    private static final String RULES = "/v1/noise/rules";

    private NoiseRuleCommands() {}

    /** What all of them have. */
    abstract static class OfRunning implements Callable<Integer> {
        @Mixin
        private ControlOptions control = new ControlOptions();

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws IOException, InterruptedException {
            PrintWriter out = spec.commandLine().getOut();
            run(control.client(spec), out);
            out.flush();
            return Exit.FINE;
        }

        abstract void run(ControlClient client, PrintWriter out) throws IOException, InterruptedException;
    }

    /** What tells of one rule. */
    abstract static class OfRule extends OfRunning {
        @Parameters(index = "0", paramLabel = "PATH", description = "The place, such as body.note or body.items[*].id.")
        private String path = "";

        @Parameters(
                index = "1",
                paramLabel = "VALUE",
                description =
                        "What both sides have there: time, uuid, number, token; order: the same in another order; "
                                + "any; none: nothing may differ there, whatever was learned.")
        private String value = "";

        @Option(
                names = "--route",
                paramLabel = "ROUTE",
                defaultValue = "*",
                description = "Of that route only, such as 'GET /orders/{n}' (default: of all).")
        private String route = "*";

        Map<String, String> rule() {
            return Map.of("route", route, "path", path, "value", value);
        }
    }

    /** {@code understudy noise list}. */
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = {"Lists the rules in force, with how often each applied.", ""},
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:listed", "2:the sidecar can't be reached, or refused it"})
    static final class Listing extends OfRunning {
        @Override
        void run(ControlClient client, PrintWriter out) throws IOException, InterruptedException {
            list(client.get(RULES), out);
        }
    }

    /** {@code understudy noise try}. */
    @Command(
            name = "try",
            mixinStandardHelpOptions = true,
            description = {
                "Tells which of the kept exchanges that differ would not, or less, with a rule. Changes nothing.",
                ""
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:tried", "2:the sidecar can't be reached, or refused it"})
    static final class Trying extends OfRule {
        @Override
        void run(ControlClient client, PrintWriter out) throws IOException, InterruptedException {
            JsonNode told = client.post("/v1/noise/trial", rule());
            out.printf(
                    Locale.ROOT,
                    "Of %d kept exchanges that differ, %d would count as the same, "
                            + "and %d would differ less, or not be compared.%n",
                    told.path("tried").asLong(),
                    told.path("hidden").asLong(),
                    told.path("reduced").asLong());
            for (JsonNode example : told.path("examples")) {
                out.printf(
                        Locale.ROOT,
                        "  exchange %d, %s: %s %s, debug %s%n",
                        example.path("exchange").asLong(),
                        example.path("request").asText(),
                        example.path("path").asText(),
                        example.path("production").asText(),
                        example.path("debug").asText());
            }
        }
    }

    /** {@code understudy noise add}. */
    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            description = {
                "Adds a rule for all later exchanges, until it is removed or the lane process ends; noise export "
                        + "writes it into a file for comparison.noise-rules. Earlier verdicts stay as they are.",
                ""
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:added", "2:the sidecar can't be reached, or refused it"})
    static final class Adding extends OfRule {
        @Override
        void run(ControlClient client, PrintWriter out) throws IOException, InterruptedException {
            list(client.post(RULES, rule()), out);
        }
    }

    /** {@code understudy noise remove}. */
    @Command(
            name = "remove",
            mixinStandardHelpOptions = true,
            description = {"Takes back a rule that was added.", ""},
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:removed", "2:the sidecar can't be reached, or there is no such rule"})
    static final class Removing extends OfRunning {
        @Parameters(paramLabel = "ID", description = "As noise list shows it, such as 1f0c9a3e.")
        private String id = "";

        @Override
        void run(ControlClient client, PrintWriter out) throws IOException, InterruptedException {
            list(client.delete(RULES + "/" + ControlClient.segment(id)), out);
        }
    }

    private static void list(JsonNode document, PrintWriter out) {
        if (document.path("rules").isEmpty()) {
            out.println("no rules");
        }
        for (JsonNode rule : document.path("rules")) {
            String id = rule.path("id").asText();
            out.printf(
                    Locale.ROOT,
                    "%-8s %s %s %s, applied to %d exchanges%n",
                    id.isEmpty() ? "file" : id,
                    rule.path("route").asText(),
                    rule.path("path").asText(),
                    rule.path("value").asText(),
                    rule.path("fired").asLong());
        }
    }
}
