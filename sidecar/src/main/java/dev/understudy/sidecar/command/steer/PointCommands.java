package dev.understudy.sidecar.command.steer;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.command.control.AskingCommand;
import dev.understudy.sidecar.command.control.ControlClient;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/**
 * What {@code understudy log}, {@code understudy snapshot} and {@code understudy watch} have in common: each of them is
 * for its own kind of points.
 */
final class PointCommands {
    private PointCommands() {}

    /** {@code list}. */
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = {
                "Lists the points. For each debug JVM: how often the place was passed and reported, how "
                        + "often rate, quota or budget prevented a report, how often the condition had no value "
                        + "(and why), and the rest of the quota.",
                ""
            },
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:done", "2:the sidecar can't be reached"})
    static final class Listing extends AskingCommand {
        @Override
        protected int ask(ControlClient client, CommandSpec spec, PrintWriter out)
                throws IOException, InterruptedException {
            int count = 0;
            for (JsonNode point : client.get("/v1/orders/points").path("points")) {
                if (isOfKind(point, spec)) {
                    count++;
                    print(point, out);
                }
            }
            if (count == 0) {
                out.println("none is there");
            }
            return Exit.FINE;
        }

        private static void print(JsonNode point, PrintWriter out) {
            String when = point.path("when").asText();
            out.println(words(
                            point.path("id").asText(),
                            point.path("at").asText(),
                            point.path("method").asText())
                    + (when.isEmpty() ? "" : " when " + when));
            for (JsonNode fare : point.path("agents")) {
                String why = fare.path("why").asText();
                out.printf(
                        Locale.ROOT,
                        "  %s: %d passed, %d told, %d limited, %d undecided%s, %d skipped "
                                + "for the budget; %d of the quota left%s%n",
                        fare.path("name").asText(),
                        fare.path("passed").asLong(),
                        fare.path("told").asLong(),
                        fare.path("limited").asLong(),
                        fare.path("undecided").asLong(),
                        why.isEmpty() ? "" : " (" + why + ")",
                        fare.path("skipped").asLong(),
                        fare.path("left").asLong(),
                        fare.path("dropped").asLong() == 0
                                ? ""
                                : "; " + fare.path("dropped").asLong() + " lost by that agent");
            }
        }
    }

    /** {@code remove}. */
    @Command(
            name = "remove",
            mixinStandardHelpOptions = true,
            description = {"Removes some points, or all.", ""},
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {
                "0:done",
                "1:an agent hasn't applied it yet, or none is there",
                "2:there is no such point, or the sidecar can't be reached"
            })
    static final class Removing extends AskingCommand {
        @Parameters(arity = "0..*", paramLabel = "ID", description = "As list says them (default: all).")
        private String[] ids = {};

        @Override
        protected int ask(ControlClient client, CommandSpec spec, PrintWriter out)
                throws IOException, InterruptedException {
            JsonNode answer = client.get("/v1/orders");
            if (ids.length == 0) {
                for (JsonNode point : client.get("/v1/orders/points").path("points")) {
                    if (isOfKind(point, spec)) {
                        answer = client.delete(
                                "/v1/orders/points/" + point.path("id").asText());
                    }
                }
            }
            for (String id : ids) {
                answer = client.delete("/v1/orders/points/" + ControlClient.segment(id));
            }
            return Following.await(client, answer, out);
        }
    }

    /** {@code show}. */
    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = {"Prints what the points reported, newest last.", ""},
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:done", "1:nothing was told", "2:the sidecar can't be reached"})
    static final class Showing extends AskingCommand {
        @Parameters(index = "0", arity = "0..1", paramLabel = "ID", description = "Only of this one.")
        private String id = "";

        @Option(names = "--json", description = "Prints what /v1/hits answers, as JSON.")
        private boolean json;

        @Option(
                names = "--limit",
                paramLabel = "N",
                defaultValue = "100",
                description = "The newest, at most 2000 (default: ${DEFAULT-VALUE}).")
        private int limit;

        @Override
        protected int ask(ControlClient client, CommandSpec spec, PrintWriter out)
                throws IOException, InterruptedException {
            JsonNode answer =
                    client.get("/v1/hits?limit=" + limit + (id.isEmpty() ? "" : "&point=" + ControlClient.segment(id)));
            if (json) {
                out.println(answer.toPrettyString());
                return answer.path("hits").isEmpty() ? Exit.ATTENTION : Exit.FINE;
            }
            int shown = 0;
            for (JsonNode hit : answer.path("hits")) {
                if (isHitOfKind(hit, spec)) {
                    HitText.print(hit, out);
                    shown++;
                }
            }
            if (shown == 0) {
                out.println("nothing was told");
            }
            return shown == 0 ? Exit.ATTENTION : Exit.FINE;
        }
    }

    /** {@code follow}. */
    @Command(
            name = "follow",
            mixinStandardHelpOptions = true,
            description = {"Prints what the points report from now on, until Ctrl-C.", ""},
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:ended on request", "2:the sidecar can't be reached"})
    static final class FollowingHits extends AskingCommand {
        private static final int PAUSE_MILLIS = 500;
        private static final int MOST = 2000;

        @Parameters(index = "0", arity = "0..1", paramLabel = "ID", description = "Only of this one.")
        private String id = "";

        @Option(names = "--count", paramLabel = "N", description = "Ends after that many; without it, never.")
        private long count = Long.MAX_VALUE;

        @Option(names = "--after", paramLabel = "N", description = "Begins behind that number (default: the newest).")
        private long after = -1;

        @Override
        protected int ask(ControlClient client, CommandSpec spec, PrintWriter out)
                throws IOException, InterruptedException {
            if (count < 1) {
                throw new ParameterException(spec.commandLine(), "--count: " + count + " (expected: at least 1)");
            }
            String point = id.isEmpty() ? "" : "&point=" + ControlClient.segment(id);
            long seen = after < 0 ? client.get("/v1/hits?limit=1").path("last").asLong() : after;
            CountDownLatch never = new CountDownLatch(1);
            for (long printed = 0; printed < count && !out.checkError(); ) {
                JsonNode answer = client.get("/v1/hits?limit=" + MOST + "&after=" + seen + point);
                for (JsonNode hit : answer.path("hits")) {
                    seen = hit.path("number").asLong();
                    if (printed < count && isHitOfKind(hit, spec)) {
                        HitText.print(hit, out);
                        printed++;
                    }
                }
                out.flush();
                if (printed < count) {
                    never.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
                }
            }
            return Exit.FINE;
        }
    }

    /** A point in words. */
    static String words(String id, String at, String method) {
        return switch (at) {
            case "reads", "writes" -> id + " on " + at + " of " + method;
            case "both" -> id + " on reads and writes of " + method;
            default -> id + " at the " + at.replace(':', ' ') + " of " + method;
        };
    }

    /** The name of the command that such a point belongs to. */
    private static String kind(String id, boolean snapshot) {
        return id.startsWith("w") ? "watch" : snapshot ? "snapshot" : "log";
    }

    private static boolean isOf(String kind, CommandSpec spec) {
        return spec.parent() != null && spec.parent().name().equals(kind);
    }

    private static boolean isOfKind(JsonNode point, CommandSpec spec) {
        return isOf(kind(point.path("id").asText(), point.path("snapshot").asBoolean()), spec);
    }

    private static boolean isHitOfKind(JsonNode hit, CommandSpec spec) {
        return isOf(kind(hit.path("point").asText(), !hit.path("stack").isEmpty()), spec);
    }
}
