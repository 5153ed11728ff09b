package dev.understudy.sidecar.command.live;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.command.control.AggregatorOptions;
import dev.understudy.sidecar.command.control.ControlClient;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code understudy fault}: makes the debug JVM's upstream calls suffer, through a running aggregator. */
@Command(
        name = "fault",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {FaultCommand.Listing.class, FaultCommand.Setting.class, FaultCommand.Clearing.class},
        description = {
            "Injects faults into the debug JVM's upstream calls. Production's calls are never " + "affected.",
            ""
        })
public final class FaultCommand {

    /** {@code understudy fault list}. */
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Lists the faults that are set, and how many requests each has hit.")
    static final class Listing implements Callable<Integer> {
        @Mixin
        private AggregatorOptions aggregator = new AggregatorOptions();

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws IOException, InterruptedException {
            return told(spec, () -> aggregator.client(spec).get("/v1/faults"));
        }
    }

    /** {@code understudy fault set}. */
    @Command(
            name = "set",
            mixinStandardHelpOptions = true,
            description = {
                "Sets one fault, or replaces all faults by a schedule.",
                "",
                "latency     requests are handled --delay later, plus or minus --jitter",
                "bandwidth   replies are sent at --rate bytes per second",
                "error       the reply is an error; --code: SQLSTATE, a Redis error's first word, HTTP status",
                "reset       the connection is reset instead of a reply",
                "black-hole  the connection stays open without a reply",
                "slow-close  the connection ends --delay later",
                ""
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:done", "2:the aggregator can't be reached, or refused it"})
    static final class Setting implements Callable<Integer> {
        @Mixin
        private AggregatorOptions aggregator = new AggregatorOptions();

        @Parameters(index = "0", arity = "0..1", paramLabel = "UPSTREAM", description = "The upstream's name.")
        private @Nullable String upstream;

        @Parameters(index = "1", arity = "0..1", paramLabel = "FAULT", description = "One of those above.")
        private @Nullable String fault;

        @Option(names = "--name", paramLabel = "NAME", description = "Its name (default: UPSTREAM-FAULT).")
        private @Nullable String name;

        @Option(names = "--delay", paramLabel = "TIME", description = "Such as 200ms.")
        private @Nullable String delay;

        @Option(names = "--jitter", paramLabel = "TIME", description = "Such as 50ms.")
        private @Nullable String jitter;

        @Option(names = "--rate", paramLabel = "BYTES", description = "Such as 64KiB.")
        private @Nullable String rate;

        @Option(names = "--code", paramLabel = "CODE", description = "Such as 40001, LOADING or 503.")
        private @Nullable String code;

        @Option(names = "--message", paramLabel = "TEXT", description = "What the error says.")
        private @Nullable String message;

        @Option(
                names = "--form",
                paramLabel = "PATTERN",
                description = "Only requests whose form (/v1/matches) is like this: a glob, or /regex/.")
        private @Nullable String form;

        @Option(names = "--percent", paramLabel = "N", description = "Only so many of a hundred matching requests.")
        private @Nullable String percent;

        @Option(names = "--seed", paramLabel = "N", description = "Decides which; the same ones in each run.")
        private @Nullable String seed;

        @Option(names = "--at", paramLabel = "TIME", description = "How long after now it begins.")
        private @Nullable String at;

        @Option(names = "--for", paramLabel = "TIME", description = "How long it holds (default: until cleared).")
        private @Nullable String lasts;

        @Option(
                names = "--file",
                paramLabel = "FILE",
                description = "A schedule: YAML with a list faults, instead of UPSTREAM and FAULT.")
        private @Nullable Path file;

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws IOException, InterruptedException {
            Path schedule = file;
            if (schedule != null) {
                return told(
                        spec,
                        () -> aggregator
                                .client(spec)
                                .put("/v1/faults", "application/yaml", Files.readAllBytes(schedule)));
            }
            if (upstream == null || fault == null) {
                throw new ParameterException(spec.commandLine(), "Missing UPSTREAM and FAULT, or --file");
            }
            String called = name == null ? upstream.replaceAll("[^A-Za-z0-9._-]", "-") + "-" + fault : name;
            return told(spec, () -> aggregator.client(spec).put("/v1/faults/" + ControlClient.segment(called), rule()));
        }

        private Map<String, @Nullable String> rule() {
            Map<String, @Nullable String> rule = new LinkedHashMap<>();
            rule.put("upstream", upstream);
            rule.put("fault", fault);
            rule.put("delay", delay);
            rule.put("jitter", jitter);
            rule.put("rate", rate);
            rule.put("code", code);
            rule.put("message", message);
            rule.put("form", form);
            rule.put("percent", percent);
            rule.put("seed", seed);
            rule.put("at", at);
            rule.put("for", lasts);
            return rule;
        }
    }

    /** {@code understudy fault clear}. */
    @Command(
            name = "clear",
            mixinStandardHelpOptions = true,
            description = "Clears one fault, or all. Connections that a fault has silenced stay silent.",
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:done", "2:the aggregator can't be reached, or there is no such fault"})
    static final class Clearing implements Callable<Integer> {
        @Mixin
        private AggregatorOptions aggregator = new AggregatorOptions();

        @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "Its name (default: all).")
        private @Nullable String name;

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws IOException, InterruptedException {
            String path = name == null ? "/v1/faults" : "/v1/faults/" + ControlClient.segment(name);
            return told(spec, () -> aggregator.client(spec).delete(path));
        }
    }

    private interface Question {
        JsonNode ask() throws IOException, InterruptedException;
    }

    private static int told(CommandSpec spec, Question question) throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        JsonNode faults = question.ask().path("faults");
        if (faults.isEmpty()) {
            out.println("no faults are set");
        }
        faults.forEach(each -> out.println(line(each)));
        out.flush();
        return Exit.FINE;
    }

    /** The rule's settings as they were given, and what it has done. */
    private static String line(JsonNode rule) {
        StringBuilder line = new StringBuilder(rule.path("name").asText())
                .append(": ")
                .append(rule.path("fault").asText())
                .append(" on ")
                .append(rule.path("upstream").asText());
        for (String key : new String[] {"delay", "jitter", "rate", "code", "message", "form", "percent", "at", "for"}) {
            if (rule.has(key)) {
                line.append(", ").append(key).append(' ').append(rule.path(key).asText());
            }
        }
        return line.append(": ")
                .append(rule.path("phase").asText())
                .append(", hit ")
                .append(rule.path("applied").asLong())
                .append(" of ")
                .append(rule.path("matched").asLong())
                .append(" requests")
                .toString();
    }
}
