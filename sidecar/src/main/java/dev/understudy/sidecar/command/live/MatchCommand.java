package dev.understudy.sidecar.command.live;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.command.control.AggregatorOptions;
import dev.understudy.sidecar.command.control.ControlClient;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code understudy match}: which recorded replies the debug JVM's upstream calls got, and why. */
@Command(
        name = "match",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {MatchCommand.Listing.class, MatchCommand.Explaining.class},
        description = {"Shows which recorded replies the debug JVM's upstream calls received, and why.", ""})
public final class MatchCommand {

    /** Asks one thing, and says the answer in words or as JSON. */
    abstract static class Asking implements Callable<Integer> {
        @Mixin
        private AggregatorOptions aggregator = new AggregatorOptions();

        @Option(names = "--json", description = "As the aggregator says it.")
        private boolean json;

        @Spec
        private CommandSpec spec = CommandSpec.create();

        abstract String path();

        abstract List<String> words(JsonNode answer);

        @Override
        public final Integer call() throws IOException, InterruptedException {
            PrintWriter out = spec.commandLine().getOut();
            JsonNode answer = aggregator.client(spec).get(path());
            List<String> lines = json ? List.of(answer.toPrettyString()) : words(answer);
            lines.forEach(out::println);
            out.flush();
            return Exit.FINE;
        }
    }

    /** {@code understudy match list}. */
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Lists the latest calls, newest first. The aggregator keeps 1024, and counts all by kind.",
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:done", "2:the aggregator can't be reached"})
    static final class Listing extends Asking {
        @Option(
                names = "--outcome",
                paramLabel = "OUTCOME",
                description = "Only those: REPLAYED, REPEATED, BACKGROUND, STUBBED, LIVE, STANDIN, FAULT or MISSED.")
        private @Nullable String outcome;

        @Option(names = "--ambiguous", description = "Only those for which others with other answers were as good.")
        private boolean ambiguous;

        @Option(
                names = "--limit",
                paramLabel = "N",
                defaultValue = "20",
                description = "At most so many (default: ${DEFAULT-VALUE}).")
        private int limit;

        @Option(
                names = "--kinds",
                description = "The calls of the whole run instead: counts by form, outcome and reason.")
        private boolean kinds;

        @Override
        String path() {
            return "/v1/matches?limit=" + limit + (kinds ? "&kinds=2000" : "&kinds=0")
                    + (ambiguous ? "&ambiguous=true" : "")
                    + (outcome == null ? "" : "&outcome=" + ControlClient.segment(outcome));
        }

        @Override
        List<String> words(JsonNode matches) {
            return kinds ? MatchText.kinds(matches, outcome, limit) : MatchText.list(matches);
        }
    }

    /** {@code understudy match explain}. */
    @Command(
            name = "explain",
            mixinStandardHelpOptions = true,
            description = "Explains one call: the request, the candidates, and what decided.",
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:done", "2:the aggregator can't be reached, or doesn't keep that call any more"})
    static final class Explaining extends Asking {
        @Parameters(index = "0", paramLabel = "ID", description = "The call's number in the list.")
        private long id;

        @Override
        String path() {
            return "/v1/matches/" + id;
        }

        @Override
        List<String> words(JsonNode match) {
            return MatchText.explain(match);
        }
    }
}
