package dev.understudy.sidecar.command.steer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.understudy.sidecar.command.control.ControlClient;
import dev.understudy.sidecar.command.control.ControlOptions;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code understudy agent}: the settings of the agents in running debug JVMs. */
@Command(
        name = "agent",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {AgentCommand.Showing.class, AgentCommand.Setting.class, AgentCommand.Resetting.class},
        description = {
            "Shows and changes the settings of the agents in running debug JVMs. Orders apply to "
                    + "debug JVMs that start later, too. They end with the sidecar.",
            ""
        })
public final class AgentCommand {
    /** {@code understudy agent show}. */
    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = {
                "Shows each setting, where it comes from (default, environment, argument, order), and "
                        + "which can be changed.",
                ""
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:done", "1:no agent is there", "2:the sidecar can't be reached"})
    static final class Showing implements Callable<Integer> {
        @Mixin
        private ControlOptions control = new ControlOptions();

        @Option(names = "--json", description = "Prints the settings as JSON, by agent.")
        private boolean json;

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws IOException, InterruptedException {
            ControlClient client = control.client(spec);
            PrintWriter out = spec.commandLine().getOut();
            Set<String> present = new HashSet<>();
            client.get("/v1/orders")
                    .path("agents")
                    .forEach(agent -> present.add(agent.path("name").asText()));
            List<JsonNode> reports = new ArrayList<>();
            for (JsonNode report : client.get("/v1/agent").path("agents")) {
                if (present.contains(report.path("name").asText())) {
                    reports.add(report);
                }
            }
            if (json) {
                ObjectNode all = JsonNodeFactory.instance.objectNode();
                reports.forEach(report -> all.set(report.path("name").asText(), report.path("settings")));
                out.println(all.toPrettyString());
            } else if (reports.isEmpty()) {
                out.println("no agent is there: none has reported for ten seconds");
            } else {
                reports.forEach(report -> print(report, out));
            }
            out.flush();
            return reports.isEmpty() ? Exit.ATTENTION : Exit.FINE;
        }

        private static void print(JsonNode report, PrintWriter out) {
            out.println(report.path("name").asText() + ":");
            report.path("settings").properties().forEach(setting -> {
                JsonNode one = setting.getValue();
                out.printf(
                        Locale.ROOT,
                        "  %-10s %-22s %-12s %s%n",
                        setting.getKey(),
                        one.path("value").asText().isEmpty()
                                ? "-"
                                : one.path("value").asText(),
                        one.path("origin").asText(),
                        one.path("changeable").asBoolean() ? "can be changed" : "");
            });
        }
    }

    /** {@code understudy agent set}. */
    @Command(
            name = "set",
            mixinStandardHelpOptions = true,
            description = {
                "Changes settings of running agents: budget, lag, sampling, quota, stacks, leaks, deep, "
                        + "values, measure, allocations, and redact, which adds names. Values are written as at the "
                        + "agent's start. An agent reports values that it can't apply; the others are applied. "
                        + "window.wanted is a setting of the sidecar: how long the window is to last (10m, or 0s "
                        + "for no wish). Agents then spend less.",
                ""
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:done", "1:not every agent has applied it, or none is there", "2:the sidecar refused it"})
    static final class Setting extends OrderCommand {
        @Parameters(arity = "1..*", paramLabel = "NAME=VALUE", description = "Such as budget=0.1, leaks=5s or deep=20.")
        private List<String> pairs = List.of();

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        JsonNode order(ControlClient client, PrintWriter out) throws IOException, InterruptedException {
            Map<String, String> set = new LinkedHashMap<>();
            for (String pair : pairs) {
                int equals = pair.indexOf('=');
                if (equals <= 0) {
                    throw new ParameterException(spec.commandLine(), pair + " (expected: NAME=VALUE)");
                }
                set.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
            return client.post("/v1/orders/settings", Map.of("set", set));
        }
    }

    /** {@code understudy agent reset}. */
    @Command(
            name = "reset",
            mixinStandardHelpOptions = true,
            description = {"Resets settings to those of the agents' start.", ""},
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:done", "1:not every agent has applied it, or none is there", "2:the sidecar refused it"})
    static final class Resetting extends OrderCommand {
        @Parameters(arity = "0..*", paramLabel = "NAME", description = "What was set (default: all that was).")
        private List<String> names = List.of();

        @Override
        JsonNode order(ControlClient client, PrintWriter out) throws IOException, InterruptedException {
            return names.isEmpty()
                    ? client.delete("/v1/orders/settings")
                    : client.post("/v1/orders/settings", Map.of("reset", names));
        }
    }
}
