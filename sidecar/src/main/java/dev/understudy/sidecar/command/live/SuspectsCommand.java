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
    private static final int ON_A_SCREEN = 5;

    @Mixin
    private ControlOptions control = new ControlOptions();

    @Option(names = "--json", description = "Prints what /v1/suspects answers, as JSON.")
    private boolean json;

    @Option(names = "--all", description = "Prints all entries, and the evidence for each.")
    private boolean all;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        JsonNode suspects = control.client(spec).get("/v1/suspects");
        if (json) {
            out.println(suspects.toPrettyString());
        } else {
            lines(suspects, all).forEach(out::println);
        }
        out.flush();
        boolean nobody = Stream.of("suspects", "leaks", "growing", "lockCycles")
                .allMatch(kind -> suspects.path(kind).isEmpty());
        return nobody ? Exit.FINE : Exit.ATTENTION;
    }

    /** At most five entries with what they rest on, or all of them with all evidence. */
    static List<String> lines(JsonNode answer, boolean all) {
        List<String> lines = new ArrayList<>(SuspectsIntroduction.lines(answer));
        for (Map.Entry<String, JsonNode> listener : answer.path("tooDifferent").properties()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%s: %.0f %% of the replies differ, so that differing isn't taken for failing; name what may differ"
                            + " (noise; not in protocol: tcp), or what fails (suspects.also)",
                    listener.getKey(),
                    100 * listener.getValue().asDouble()));
        }
        SortedMap<Integer, List<String>> ranked = new TreeMap<>();
        answer.path("suspects")
                .forEach(suspect -> ranked.put(suspect.path("rank").asInt(), SuspectText.lines(suspect, all)));
        answer.path("leaks").forEach(leak -> ranked.put(leak.path("rank").asInt(), leak(leak)));
        answer.path("lockCycles")
                .forEach(circle -> ranked.put(circle.path("rank").asInt(), LockCycleText.lines(circle)));
        ranked.forEach((rank, text) -> {
            if (all || rank <= ON_A_SCREEN) {
                lines.add("");
                lines.add("#" + rank + " " + text.get(0));
                lines.addAll(text.subList(1, text.size()));
            }
        });
        if (!answer.path("suspects").isEmpty()) {
            lines.add("");
            lines.add(answer.path("unexplained").asInt() + " failing exchanges are explained by none of these");
        }
        int more = ranked.size() - ON_A_SCREEN;
        if (!all && !ranked.isEmpty()) {
            lines.add((more > 0 ? more + " more entries, and the evidence for each" : "the evidence for each")
                    + ": understudy suspects --all");
        }
        lines.addAll(growing(answer.path("growing")));
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
}
