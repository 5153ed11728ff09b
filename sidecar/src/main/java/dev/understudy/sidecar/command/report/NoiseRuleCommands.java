package dev.understudy.sidecar.command.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.command.control.AskingCommand;
import dev.understudy.sidecar.command.control.ControlClient;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code understudy noise list, try, add} and {@code remove}: rules of a running sidecar. */
final class NoiseRuleCommands {
    private static final String RULES = "/v1/noise/rules";

    private NoiseRuleCommands() {}

    /** What tells of one rule. */
    abstract static class OfRule extends AskingCommand {
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
            description = {"Lists the rules that were added, with how often each applied.", ""},
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:listed", "2:the sidecar can't be reached, or refused it"})
    static final class Listing extends AskingCommand {
        @Override
        protected int ask(ControlClient client, CommandSpec spec, PrintWriter out)
                throws IOException, InterruptedException {
            return list(client.get(RULES), out);
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
        protected int ask(ControlClient client, CommandSpec spec, PrintWriter out)
                throws IOException, InterruptedException {
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
            return Exit.FINE;
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
        protected int ask(ControlClient client, CommandSpec spec, PrintWriter out)
                throws IOException, InterruptedException {
            return list(client.post(RULES, rule()), out);
        }
    }

    /** {@code understudy noise remove}. */
    @Command(
            name = "remove",
            mixinStandardHelpOptions = true,
            description = {"Takes back a rule that was added.", ""},
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:removed", "2:the sidecar can't be reached, or there is no such rule"})
    static final class Removing extends AskingCommand {
        @Parameters(paramLabel = "ID", description = "As noise list shows it, such as 1f0c9a3e.")
        private String id = "";

        @Override
        protected int ask(ControlClient client, CommandSpec spec, PrintWriter out)
                throws IOException, InterruptedException {
            return list(client.delete(RULES + "/" + ControlClient.segment(id)), out);
        }
    }

    private static int list(JsonNode document, PrintWriter out) {
        for (JsonNode rule : document.path("rules")) {
            out.printf(
                    Locale.ROOT,
                    "%-8s %s %s %s, applied to %d exchanges%n",
                    rule.path("id").asText(),
                    rule.path("route").asText(),
                    rule.path("path").asText(),
                    rule.path("value").asText(),
                    rule.path("fired").asLong());
        }
        out.printf(
                Locale.ROOT,
                "%d rules added, %d of the settings%n",
                document.path("rules").size(),
                document.path("configured").asLong());
        return Exit.FINE;
    }
}
