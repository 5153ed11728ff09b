package dev.understudy.sidecar.command.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.sidecar.command.control.AskingCommand;
import dev.understudy.sidecar.command.control.ControlClient;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code understudy labels}: by which rules an exchange fails. */
@Command(
        name = "labels",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {LabelsCommand.Showing.class, LabelsCommand.Setting.class, LabelsCommand.Resetting.class},
        description = {"Shows and changes what counts as a failing exchange, on which suspects are ranked.", ""})
public final class LabelsCommand {
    private static final String LABELS = "/v1/labels";

    /** {@code understudy labels show}. */
    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = {"Shows the rules in force.", ""},
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:shown", "2:the sidecar can't be reached, or refused it"})
    static final class Showing extends AskingCommand {
        @Override
        protected int ask(ControlClient client, CommandSpec spec, PrintWriter out)
                throws IOException, InterruptedException {
            return show(client.get(LABELS), out);
        }
    }

    /** {@code understudy labels set}. */
    @Command(
            name = "set",
            mixinStandardHelpOptions = true,
            description = {
                "Changes rules for all later exchanges, until they are reset or the lane process ends. The ranking "
                        + "begins anew, so that no suspect rests on exchanges labelled by other rules. Rules that "
                        + "aren't named stay as they are.",
                ""
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:changed", "2:the sidecar can't be reached, or refused it"})
    static final class Setting extends AskingCommand {
        @Option(names = "--status", paramLabel = "STATUS", description = "The least status that fails, such as 400.")
        private @Nullable Integer status;

        @Option(
                names = "--different",
                arity = "1",
                paramLabel = "true|false",
                description = "Whether a reply fails that differs from production's.")
        private @Nullable Boolean different;

        @Option(
                names = "--escaped",
                arity = "1",
                paramLabel = "true|false",
                description = "Whether an exception that leaves the server's entry fails its exchange.")
        private @Nullable Boolean escaped;

        @Option(
                names = "--logged",
                arity = "1",
                paramLabel = "true|false",
                description = "Whether a logged error fails its exchange.")
        private @Nullable Boolean logged;

        @Option(
                names = "--slow",
                paramLabel = "TIME",
                description = "From which time on an exchange fails: 250ms, p99 of its route, or never.")
        private @Nullable String slow;

        @Option(
                names = "--grpc",
                split = ",",
                paramLabel = "CODE",
                description = "The gRPC codes that fail, such as 13 or INTERNAL; '' for none.")
        private @Nullable List<String> grpc;

        @Option(
                names = "--also",
                paramLabel = "RULE",
                description = "A rule such as '404 GET /users/*' or '200 POST /orders where json /total < 0'; "
                        + "may be repeated. Those named replace all that held. '' alone leaves none.")
        private @Nullable List<String> also;

        @Option(
                names = "--least",
                paramLabel = "N",
                description = "How many failing and successful exchanges are needed for a suspect.")
        private @Nullable Integer least;

        @Override
        protected int ask(ControlClient client, CommandSpec spec, PrintWriter out)
                throws IOException, InterruptedException {
            Map<String, Object> change = new LinkedHashMap<>();
            put(change, "status", status);
            put(change, "different", different);
            put(change, "escaped", escaped);
            put(change, "logged", logged);
            put(change, "slow", slow);
            put(change, "grpc", orNone(grpc));
            put(change, "also", orNone(also));
            put(change, "least", least);
            if (change.isEmpty()) {
                throw new ParameterException(
                        spec.commandLine(), "nothing to change: name a rule, such as --status 400");
            }
            // as a tree, in which an empty list is kept
            return show(client.post(LABELS, new ObjectMapper().valueToTree(change)), out);
        }

        /** An empty value alone stands for none at all. */
        private static @Nullable List<String> orNone(@Nullable List<String> values) {
            return List.of("").equals(values) ? List.of() : values;
        }

        private static void put(Map<String, Object> change, String name, @Nullable Object value) {
            if (value != null) {
                change.put(name, value);
            }
        }
    }

    /** {@code understudy labels reset}. */
    @Command(
            name = "reset",
            mixinStandardHelpOptions = true,
            description = {"Has the rules of the settings hold again. The ranking begins anew if others held.", ""},
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:reset", "2:the sidecar can't be reached, or refused it"})
    static final class Resetting extends AskingCommand {
        @Override
        protected int ask(ControlClient client, CommandSpec spec, PrintWriter out)
                throws IOException, InterruptedException {
            return show(client.delete(LABELS), out);
        }
    }

    private static int show(JsonNode labels, PrintWriter out) {
        line(out, "status", "from " + labels.path("status").asText() + " on");
        line(out, "different", effect(labels, "different"));
        line(out, "escaped", effect(labels, "escaped"));
        line(out, "logged", effect(labels, "logged"));
        line(out, "slow", labels.path("slow").asText());
        line(out, "grpc", listed(labels.path("grpc")));
        line(out, "also", listed(labels.path("also")));
        line(out, "least", labels.path("least").asText());
        boolean isConfigured = labels.path("configured").properties().stream()
                .allMatch(rule -> rule.getValue().equals(labels.path(rule.getKey())));
        out.println(
                isConfigured
                        ? "as the settings say"
                        : "not as the settings say (edition " + labels.path("edition") + ")");
        return Exit.FINE;
    }

    private static String effect(JsonNode labels, String name) {
        return labels.path(name).asBoolean() ? "fails" : "doesn't fail";
    }

    private static String listed(JsonNode values) {
        List<String> texts = values.valueStream().map(JsonNode::asText).toList();
        return texts.isEmpty() ? "none" : String.join(", ", texts);
    }

    private static void line(PrintWriter out, String name, String value) {
        out.printf(Locale.ROOT, "%-10s %s%n", name, value);
    }
}
