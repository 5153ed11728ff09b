package dev.understudy.sidecar.command.live;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.command.control.ControlClient;
import dev.understudy.sidecar.command.control.ControlOptions;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

/** {@code understudy compare}: where the execution of a failing request parts from that of a good one. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = {
            "Sends a failing request and the two good ones of its route that are most like it to the debug JVM once "
                    + "more, records all calls of the classes that take part in failing, and lists the methods where "
                    + "the executions part, the earliest first.",
            "",
            "The requests change the debug JVM's state; production isn't asked. HTTP/1.1 only.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the executions were compared",
            "1:they could not be compared, for the reason that is printed",
            "2:the sidecar can't be reached, or there is nothing to compare"
        })
public final class CompareCommand implements Callable<Integer> {
    private static final int PAUSE_MILLIS = 200;
    private static final int SHOWN = 10;

    @Mixin
    private ControlOptions control = new ControlOptions();

    @Option(
            names = "--exchange",
            paramLabel = "N",
            description = "The failing exchange, by its number in the list of exchanges (default: the newest that "
                    + "failed).")
    private long exchange;

    @Option(
            names = "--reduce",
            description = "First leave out of the request what it fails without, and compare the smallest one that "
                    + "fails with the nearest one that doesn't. Sends up to some hundred requests.")
    private boolean reduces;

    @Option(names = "--all", description = "List all methods, not only the first " + SHOWN + ".")
    private boolean all;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        ControlClient client = control.client(spec);
        Map<String, Object> wanted = new LinkedHashMap<>();
        if (reduces) {
            wanted.put("reduce", true);
        }
        if (exchange != 0) {
            wanted.put("exchange", exchange);
        }
        JsonNode one =
                client.post("/v1/comparisons", wanted).path("comparisons").path(0);
        int number = one.path("number").asInt();
        CountDownLatch never = new CountDownLatch(1);
        String told = "";
        while (one.path("state").asText().equals("RUNNING")) {
            String words = one.path("words").asText();
            if (!words.equals(told)) {
                told = words;
                spec.commandLine().getErr().println(words);
                spec.commandLine().getErr().flush();
            }
            never.await(PAUSE_MILLIS, MILLISECONDS);
            one = find(client.get("/v1/comparisons"), number);
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(one.toPrettyString());
        } else {
            lines(one, all ? Integer.MAX_VALUE : SHOWN).forEach(out::println);
        }
        out.flush();
        return one.path("state").asText().equals("DONE") ? Exit.FINE : Exit.ATTENTION;
    }

    private static JsonNode find(JsonNode answer, int number) throws IOException {
        for (JsonNode one : answer.path("comparisons")) {
            if (one.path("number").asInt() == number) {
                return one;
            }
        }
        throw new IOException("comparison " + number + " is not kept any more");
    }

    static List<String> lines(JsonNode one, int most) {
        List<String> lines = new ArrayList<>();
        lines.add("failing   " + sample(one.path("failing"), "failing", one.path("asked")));
        one.path("passing").forEach(passing -> lines.add("good      " + sample(passing, "passing", one.path("asked"))));
        if (one.has("reduced")) {
            lines.addAll(reduced(one.path("reduced")));
        }
        if (!one.path("state").asText().equals("DONE")) {
            lines.add("");
            lines.add("not compared: " + one.path("words").asText());
            return lines;
        }
        long left = one.path("left").asLong();
        lines.add(String.format(
                Locale.ROOT,
                "compared  %d calls in %s%s",
                one.path("calls").asInt(),
                one.path("classes").asInt() == 1
                        ? "one class"
                        : one.path("classes").asInt() + " classes",
                left == 0 ? "" : "; " + left + " more weren't recorded"));
        if (one.path("partings").isEmpty()) {
            lines.add("");
            lines.add("the executions part nowhere in these classes: the methods return the same kinds of values");
        }
        int shown = 0;
        for (JsonNode parting : one.path("partings")) {
            if (shown == most) {
                lines.add("");
                lines.add((one.path("partingCount").asInt() - shown) + " more (--all)");
                break;
            }
            shown++;
            lines.add("");
            lines.add("#" + shown + " " + parting.path("method").asText()
                    + (parting.path("kind").asText().equals("RESULT") ? " (equal arguments)" : ""));
            lines.add("   failing  " + parting.path("failing").asText());
            lines.add("   good     " + parting.path("passing").asText());
            String caller = parting.path("caller").asText();
            if (!caller.isEmpty()) {
                lines.add("   called by " + caller);
            }
        }
        return lines;
    }

    private static List<String> reduced(JsonNode reduced) {
        List<String> lines = new ArrayList<>();
        lines.add("reduced   from %d to %d bytes in %d requests%s"
                .formatted(
                        reduced.path("recordedBytes").asLong(),
                        reduced.path("smallestBytes").asLong(),
                        reduced.path("requests").asLong(),
                        reduced.path("limitReached").asBoolean()
                                ? "; stopped at the limit, so it may not be the smallest"
                                : ""));
        reduced.path("request").asText().lines().forEach(line -> lines.add("   " + line));
        reduced.path("needs")
                .forEach(need -> lines.add("   without " + need.path("part").asText() + ": "
                        + need.path("reply").asText()));
        return lines;
    }

    /** @param role of the requests that were sent for it; one and its part are of the same exchange */
    private static String sample(JsonNode sample, String role, JsonNode asked) {
        List<String> replies = new ArrayList<>();
        for (JsonNode once : asked) {
            if (once.path("exchange").asLong() == sample.path("exchange").asLong()
                    && once.path("role").asText().equals(role)) {
                replies.add(once.path("reply").asText());
            }
        }
        return "exchange " + sample.path("exchange").asLong() + ", "
                + sample.path("request").asText() + ", "
                + sample.path("status").asInt()
                + (replies.isEmpty() ? "" : "; again " + String.join(", ", replies));
    }
}
