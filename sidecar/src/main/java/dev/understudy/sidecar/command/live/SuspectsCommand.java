package dev.understudy.sidecar.command.live;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.command.control.ControlOptions;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code understudy suspects}: which methods go with failing exchanges. */
@Command(
        name = "suspects",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = {
            "Ranks the methods of the debug JVM that correlate with failing exchanges, as far as the "
                    + "agent observed them.",
            "",
            "The settings under suspects define what fails: a reply that differs, status 500 and "
                    + "above, an exception that leaves the server, a logged error, a time, or results of your "
                    + "own.",
            "",
            "The list has three kinds of entries:",
            "failing  a method that explains failing exchanges, by importance",
            "leak     a method that creates or last used objects that stay, of classes that grow with the exchanges",
            "         (agent setting leaks)",
            "circle   locks that are taken in a circle (agent setting locks)",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:there are no suspects", "1:there are suspects", "2:the sidecar can't be reached"})
public final class SuspectsCommand implements Callable<Integer> {
    @Mixin
    private ControlOptions control = new ControlOptions();

    @Option(names = "--json", description = "Prints what /v1/suspects answers, as JSON.")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        JsonNode suspects = control.client(spec).get("/v1/suspects");
        if (json) {
            out.println(suspects.toPrettyString());
        } else {
            lines(suspects).forEach(out::println);
        }
        out.flush();
        boolean nobody = Stream.of("suspects", "leaks", "growing", "lockCycles")
                .allMatch(kind -> suspects.path(kind).isEmpty());
        return nobody ? Exit.FINE : Exit.ATTENTION;
    }

    static List<String> lines(JsonNode answer) {
        List<String> lines = new ArrayList<>();
        JsonNode seen = answer.path("exchanges");
        lines.add(String.format(
                Locale.ROOT,
                "observed  %d failing %s, %d successful; %d without a reply that tells, %d of unknown end",
                seen.path("failing").asInt(),
                reasons(answer.path("failingBy")),
                seen.path("successful").asInt(),
                seen.path("unknown").asInt(),
                seen.path("unlabelled").asInt() + seen.path("unnamed").asInt()));
        if (answer.path("labels").asInt() > 0) {
            lines.add("only exchanges since the rules were changed by which they fail (understudy labels show)");
        }
        if (answer.path("silence").isTextual()) {
            lines.add(answer.path("silence").asText());
        }
        for (Map.Entry<String, JsonNode> listener : answer.path("tooDifferent").properties()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%s: %.0f %% of the replies differ, so that differing isn't taken for failing; name what may differ"
                            + " (noise; not in protocol: tcp), or what fails (suspects.also)",
                    listener.getKey(),
                    100 * listener.getValue().asDouble()));
        }
        for (Map.Entry<String, JsonNode> rule : answer.path("rules").properties()) {
            if (rule.getValue().asLong() == 0) {
                lines.add("the rule \"" + rule.getKey() + "\" has held of no exchange yet (suspects.also)");
            }
        }
        SortedMap<Integer, List<String>> ranked = new TreeMap<>();
        answer.path("suspects")
                .forEach(suspect -> ranked.put(suspect.path("rank").asInt(), failing(suspect)));
        answer.path("leaks").forEach(leak -> ranked.put(leak.path("rank").asInt(), leak(leak)));
        answer.path("lockCycles")
                .forEach(circle -> ranked.put(circle.path("rank").asInt(), LockCycleText.lines(circle)));
        ranked.forEach((rank, text) -> {
            lines.add("");
            lines.add("#" + rank + " " + text.get(0));
            lines.addAll(text.subList(1, text.size()));
        });
        if (!answer.path("suspects").isEmpty()) {
            lines.add("");
            lines.add(answer.path("unexplained").asInt() + " failing exchanges are explained by none of these");
        }
        lines.addAll(growing(answer.path("growing")));
        if (!answer.path("looking").isEmpty()) {
            lines.add("");
            lines.add("agents observe branches and values of " + joined(answer.path("looking"), ", "));
        }
        return lines;
    }

    private static List<String> leak(JsonNode leak) {
        List<String> lines = new ArrayList<>();
        boolean used = leak.path("used").asBoolean();
        String by = leak.path("by").asText();
        String does = used
                ? by.isEmpty() ? "was the last to use %s that stay" : "was the last to have %s used that stay, by " + by
                : by.isEmpty() ? "made %s that stay" : "had %s made that stay, by " + by;
        lines.add("leak: " + leak.path("method").asText() + " "
                + does.replace("%s", leak.path("class").asText()));
        lines.add(String.format(
                Locale.ROOT,
                "   %+.1f per 1000 exchanges (95 %%: %+.1f to %+.1f); %d of %d sampled ones %s (%s)",
                leak.path("perThousand").asDouble(),
                leak.path("low").asDouble(),
                leak.path("high").asDouble(),
                leak.path("survived").asLong(),
                leak.path("sampled").asLong(),
                used ? "used there stay, and weren't used since" : "made there were still there",
                leak.path("agent").asText()));
        if (!leak.path("also").isEmpty()) {
            lines.add("   and objects of " + joined(leak.path("also"), ", "));
        }
        leak.path("stack").forEach(frame -> lines.add("      at " + frame.asText()));
        return lines;
    }

    private static String joined(JsonNode texts, String between) {
        List<String> all = new ArrayList<>();
        texts.forEach(text -> all.add(text.asText()));
        return String.join(between, all);
    }

    private static List<String> growing(JsonNode all) {
        List<String> lines = new ArrayList<>();
        for (JsonNode one : all) {
            if (lines.isEmpty()) {
                lines.add("");
                lines.add("live objects that grow in number with the exchanges:");
            }
            String line = String.format(
                    Locale.ROOT,
                    "   %s  %+.1f per 1000 exchanges, %d now, %+d in %d counts (%s)",
                    one.path("class").asText(),
                    one.path("perThousand").asDouble(),
                    one.path("objects").asLong(),
                    one.path("more").asLong(),
                    one.path("counts").asInt(),
                    one.path("agent").asText());
            String elsewhere = String.format(
                    Locale.ROOT,
                    ", %.0f %% of those that stay made by no method of the application",
                    100 * one.path("elsewhere").asDouble());
            lines.add(one.has("elsewhere") ? line + elsewhere : line);
        }
        return lines;
    }

    private static List<String> failing(JsonNode suspect) {
        List<String> lines = new ArrayList<>();
        lines.add("failing: " + suspect.path("method").asText() + " "
                + suspect.path("predicate").asText());
        lines.add(String.format(
                Locale.ROOT,
                "   importance %.2f; fails %+.0f %% more often (95 %%: %+.0f to %+.0f); held "
                        + "in %d of %d failing, %d of %d" + " successful; explains %d",
                suspect.path("importance").asDouble(),
                100 * suspect.path("increase").asDouble(),
                100 * suspect.path("low").asDouble(),
                100 * suspect.path("high").asDouble(),
                suspect.path("failing").asInt(),
                suspect.path("failingObserved").asInt(),
                suspect.path("successful").asInt(),
                suspect.path("successfulObserved").asInt(),
                suspect.path("explains").asInt()));
        for (JsonNode alike : suspect.path("alike")) {
            lines.add("   in nearly the same: " + alike.path("method").asText() + " "
                    + alike.path("predicate").asText());
        }
        if (!suspect.path("context").isEmpty()) {
            lines.add("   called by way of what runs in nearly every exchange: "
                    + joined(suspect.path("context"), ", from "));
        }
        JsonNode example = suspect.path("example");
        String said = example.path("said").asText("");
        String arrival = example.path("arrival").asText("");
        lines.add("   example: exchange " + example.path("exchange").asLong() + ", "
                + example.path("request").asText() + ", status "
                + example.path("status").asInt() + (said.isEmpty() ? "" : ", " + said)
                + "; with a recording: understudy replay FILE --connection "
                + example.path("connection").asLong()
                + (arrival.isEmpty() ? "" : " --exchange " + arrival) + " --to HOST:PORT");
        return lines;
    }

    private static String reasons(JsonNode failingBy) {
        List<String> reasons = new ArrayList<>();
        failingBy.properties().forEach(reason -> {
            if (reason.getValue().asInt() > 0) {
                reasons.add(reason.getValue().asInt() + " " + reason.getKey());
            }
        });
        return reasons.isEmpty() ? "(none)" : "(" + String.join(", ", reasons) + ")";
    }
}
