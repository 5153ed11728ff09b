package dev.understudy.sidecar.replay;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.VerdictKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What came of a replay, as a file: JSON for programs, Markdown for a comment on a change.
 *
 * @param outcome of a replay that is over
 * @param isGood whether nothing in it needs attention, as its exit code says
 * @param notes further findings, in words
 */
public record ReplayReport(Outcome outcome, boolean isGood, List<String> notes) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MOST_ROWS = 50;
    private static final int LONGEST_CELL = 200;

    public ReplayReport {
        notes = List.copyOf(notes);
    }

    /** All of it; another member may be added. */
    public ObjectNode json() {
        ObjectNode top = JSON.createObjectNode()
                .put("good", isGood)
                .put("connections", outcome.connections())
                .put("failedConnections", outcome.failed())
                .put("waitsInVain", outcome.late());
        ObjectNode verdicts = top.putObject("verdicts");
        long all = 0;
        for (VerdictKind kind : VerdictKind.values()) {
            verdicts.put(kind.name(), outcome.verdicts(kind));
            all += outcome.verdicts(kind);
        }
        List<ReplayedExchange> kept = outcome.exchanges();
        top.put("exchangesLeftOut", all - kept.size());
        ArrayNode exchanges = top.putArray("exchanges");
        kept.forEach(exchange -> write(exchange, exchanges.addObject()));
        outcome.failures().forEach(top.putArray("failures")::add);
        notes.forEach(top.putArray("notes")::add);
        return top;
    }

    private static void write(ReplayedExchange exchange, ObjectNode entry) {
        entry.put("connection", exchange.connection())
                .put("exchange", exchange.number())
                .put("request", exchange.request())
                .put("verdict", exchange.kind().name());
        if (!exchange.reason().isEmpty()) {
            entry.put("reason", exchange.reason());
        }
        if (!exchange.differences().isEmpty()) {
            ArrayNode places = entry.putArray("differences");
            for (Difference difference : exchange.differences()) {
                places.addObject()
                        .put("path", difference.path())
                        .put("type", difference.type().name())
                        .put("recorded", difference.production())
                        .put("replayed", difference.debug());
            }
        }
    }

    /** The verdict, the counts, and the first 50 places that differ. */
    public String markdown() {
        List<String> lines = new ArrayList<>();
        lines.add("### " + headline());
        lines.add("");
        List<String> names = new ArrayList<>(List.of("connections"));
        List<String> counts = new ArrayList<>(List.of(Long.toString(outcome.connections())));
        for (VerdictKind kind : VerdictKind.values()) {
            names.add(kind.name().toLowerCase(Locale.ROOT).replace('_', ' '));
            counts.add(Long.toString(outcome.verdicts(kind)));
        }
        names.add("failed connections");
        counts.add(Long.toString(outcome.failed()));
        lines.add(row(names));
        lines.add(row(names.stream().map(name -> "---").toList()));
        lines.add(row(counts));
        lines.addAll(findings());
        List<String> said = new ArrayList<>(notes);
        said.addAll(outcome.failures());
        if (!said.isEmpty()) {
            lines.add("");
            said.forEach(note -> lines.add("- " + code(note)));
        }
        return String.join("\n", lines) + "\n";
    }

    private String headline() {
        long different = outcome.verdicts(VerdictKind.DIFFERENT);
        long compared = outcome.compared();
        if (compared == 0) {
            return "No recorded reply was compared";
        }
        if (different > 0) {
            return different + " of " + compared + " replies differ from the recorded ones";
        }
        return isGood ? "All " + compared + " replies are as recorded" : "No reply differs, but not all is as recorded";
    }

    private List<String> findings() {
        List<String> rows = new ArrayList<>();
        long more = 0;
        for (ReplayedExchange exchange : outcome.exchanges()) {
            for (List<String> cells : cells(exchange)) {
                if (rows.size() < MOST_ROWS) {
                    rows.add(row(cells));
                } else {
                    more++;
                }
            }
        }
        if (rows.isEmpty()) {
            return List.of();
        }
        List<String> lines = new ArrayList<>(List.of(
                "",
                row(List.of("exchange", "request", "place", "recorded", "replayed")),
                "| --- | --- | --- | --- | --- |"));
        lines.addAll(rows);
        if (more > 0) {
            lines.add("");
            lines.add("and " + more + " more");
        }
        return lines;
    }

    private static List<List<String>> cells(ReplayedExchange exchange) {
        Function<List<String>, List<String>> withPlace = place -> {
            List<String> cells = new ArrayList<>(
                    List.of(code("#" + exchange.connection() + "/" + exchange.number()), code(exchange.request())));
            cells.addAll(place);
            return cells;
        };
        if (!exchange.differences().isEmpty()) {
            return exchange.differences().stream()
                    .map(each -> List.of(code(each.path()), code(each.production()), code(each.debug())))
                    .map(withPlace)
                    .toList();
        }
        return exchange.reason().isEmpty()
                ? List.of()
                : List.of(withPlace.apply(List.of(code(exchange.reason()), "", "")));
    }

    private static String row(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |";
    }

    /** A text that others chose: nothing of it is markup, calls anybody by name, or leads to an issue. */
    private static String code(@Nullable String value) {
        if (value == null) {
            return "(nothing)";
        }
        String line = oneLine(value);
        return line.isEmpty() ? "" : "<code>" + escaped(line) + "</code>";
    }

    private static String oneLine(String value) {
        String line = value.replaceAll("\\p{Cntrl}", " ").strip();
        return line.length() <= LONGEST_CELL ? line : line.substring(0, LONGEST_CELL) + "…";
    }

    /** Each character that Markdown, a table or HTML reads becomes its reference. */
    private static String escaped(String line) {
        StringBuilder text = new StringBuilder(line.length());
        line.chars().forEach(each -> {
            if ("\\`*_{}[]<>()#+!|@~$&\"':".indexOf(each) >= 0) {
                text.append("&#").append(each).append(';');
            } else {
                text.append((char) each);
            }
        });
        return text.toString();
    }
}
