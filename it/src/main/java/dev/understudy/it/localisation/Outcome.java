package dev.understudy.it.localisation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * What came of a bug's trial.
 *
 * @param asked requests, or sessions of commands
 * @param triggers of these, those that may set the bug off
 * @param symptoms how often production showed it
 * @param ranked the first place of a fixed method among the suspects; 0 if it isn't there
 * @param foundAsked after how many requests it was first among the first five; 0 for never
 * @param fullest the largest part of the window that was ever in use
 * @param lagMillis how far the debug JVM was ever behind
 * @param live of a bug that shows in memory alone, what stayed after a quarter of the trial, and in the end; else empty
 * @param found what the sidecar says in the end
 * @param compared what came of the experiments: with the good requests, and with the smallest one; empty if none was
 *     made
 * @param foundThen what the sidecar says after them
 */
public record Outcome(
        Bug bug,
        int asked,
        int triggers,
        int symptoms,
        int ranked,
        int foundAsked,
        double foundSeconds,
        double fullest,
        long lagMillis,
        List<Live> live,
        JsonNode found,
        List<JsonNode> compared,
        JsonNode foundThen) {
    public Outcome {
        live = List.copyOf(live);
        compared = List.copyOf(compared);
    }

    /** Methods in the order in which a user reads of them, without parameters. */
    static List<String> methods(JsonNode found) {
        List<JsonNode> ranked = new ArrayList<>();
        for (String kind : List.of("suspects", "leaks", "lockCycles")) {
            found.path(kind).forEach(ranked::add);
        }
        ranked.sort(Comparator.comparingInt(one -> one.path("rank").asInt()));
        List<String> methods = new ArrayList<>();
        for (JsonNode one : ranked) {
            methods.add(one.path("method").asText());
            one.path("alike").forEach(alike -> methods.add(alike.path("method").asText()));
            for (JsonNode step : one.path("steps")) {
                methods.add(step.path("method").asText());
                methods.add(step.path("holdsSince").asText());
            }
        }
        methods.removeIf(String::isEmpty);
        return methods.stream()
                .map(method -> method.replaceAll("\\(.*", ""))
                .distinct()
                .toList();
    }

    /** The first place of one of the bug's fixed methods, from 1; 0 if none is there. */
    static int rank(Bug bug, JsonNode found) {
        List<String> methods = methods(found);
        return bug.guilty().stream()
                .mapToInt(method -> methods.indexOf(method) + 1)
                .filter(place -> place > 0)
                .min()
                .orElse(0);
    }

    /** The heads of {@link #row}. */
    public static String head() {
        return """
                | bug | triggers | shown by production | shown by debug, of those observed | failing / successful, \
                observed in debug | rank | with experiments | first five after | furthest behind | window in use |
                | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |""";
    }

    /** A row of the table. */
    public String row() {
        return String.format(
                Locale.ROOT,
                "| %s | %d of %d | %s | %s | %d / %d | %s | %s | %s | %d ms | %.1f %% |",
                bug.id(),
                triggers,
                asked,
                live.isEmpty() ? Integer.toString(symptoms) : grown(Live::production),
                live.isEmpty() ? Integer.toString(shownByDebug(found)) : grown(Live::debug),
                found.at("/exchanges/failing").asInt(),
                found.at("/exchanges/successful").asInt(),
                place(ranked),
                compared.isEmpty() ? "" : place(rank(bug, foundThen)),
                foundAsked == 0 ? "–" : String.format(Locale.ROOT, "%d requests, %.0f s", foundAsked, foundSeconds),
                lagMillis,
                fullest * 100);
    }

    private static String place(int rank) {
        return rank == 0 ? "–" : Integer.toString(rank);
    }

    /** What came of the experiments, a line each; the fixed methods are marked. */
    public String comparison() {
        StringBuilder text = new StringBuilder();
        compared.forEach(one -> describe(one, text));
        return text.toString();
    }

    private void describe(JsonNode one, StringBuilder text) {
        JsonNode reduced = one.path("reduced");
        if (reduced.isObject()) {
            text.append("   reduced from %d to %d bytes in %d requests; compared: %s%n"
                    .formatted(
                            reduced.path("recordedBytes").asLong(),
                            reduced.path("smallestBytes").asLong(),
                            reduced.path("requests").asLong(),
                            one.path("passing")));
        }
        if (!one.path("state").asText().equals("DONE")) {
            text.append("   not compared: ")
                    .append(one.path("words").asText(one.path("detail").asText()))
                    .append('\n');
            return;
        }
        text.append("   parts at ").append(one.path("partingCount").asInt()).append(" places\n");
        for (JsonNode parting : one.path("partings")) {
            String method = parting.path("method").asText();
            text.append(isGuilty(method) ? " * " : "   ")
                    .append(parting.path("kind").asText())
                    .append(' ')
                    .append(method)
                    .append(": ")
                    .append(parting.path("failing").asText())
                    .append(" | ")
                    .append(parting.path("passing").asText())
                    .append('\n');
        }
    }

    private boolean isGuilty(String method) {
        return bug.guilty().contains(method.replaceAll("\\(.*", ""));
    }

    private String grown(ToLongFunction<Live> side) {
        long[] bytes = live.stream().mapToLong(side).toArray();
        return String.format(Locale.ROOT, "%.0f to %.0f kB stay", bytes[0] / 1e3, bytes[bytes.length - 1] / 1e3);
    }

    /** How many of debug's replies show by themselves what the operator's rule says, whatever production's are. */
    static int shownByDebug(JsonNode found) {
        return Stream.of("STATUS", "RULE", "SLOW")
                .mapToInt(reason -> found.path("failingBy").path(reason).asInt())
                .sum();
    }

    /** Who is suspected, in a few lines. */
    public String suspects() {
        StringBuilder text = new StringBuilder();
        int shown = 0;
        for (JsonNode suspect : found.path("suspects")) {
            if (shown++ < 3) {
                text.append(String.format(
                        Locale.ROOT,
                        "   %d. %s %s, importance %.2f, in %d failing and %d successful; alike:",
                        shown,
                        suspect.path("method").asText(),
                        suspect.path("predicate").asText(),
                        suspect.path("importance").asDouble(),
                        suspect.path("failing").asInt(),
                        suspect.path("successful").asInt()));
                suspect.path("alike")
                        .forEach(alike -> text.append(' ')
                                .append(alike.path("method").asText())
                                .append(' ')
                                .append(alike.path("predicate").asText())
                                .append(';'));
                text.append('\n');
            }
        }
        shown = 0;
        for (JsonNode leak : found.path("leaks")) {
            if (shown++ < 3) {
                text.append(String.format(
                        Locale.ROOT,
                        "   %d. %s has %s %s that stay, %+.1f per 1000 exchanges (%+.1f to "
                                + "%+.1f), %d of %d sampled; %s%n",
                        leak.path("rank").asInt(),
                        leak.path("method").asText(),
                        leak.path("class").asText(),
                        leak.path("used").asBoolean() ? "used last" : "made",
                        leak.path("perThousand").asDouble(),
                        leak.path("low").asDouble(),
                        leak.path("high").asDouble(),
                        leak.path("survived").asInt(),
                        leak.path("sampled").asInt(),
                        leak.path("by").asText()));
            }
        }
        for (JsonNode growing : found.path("growing")) {
            text.append("   grows: ").append(growing).append('\n');
        }
        return text.isEmpty() ? "   " + found.path("silence").asText() + "\n" : text.toString();
    }
}
