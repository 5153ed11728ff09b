package dev.understudy.example.demo.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.example.demo.load.Tally;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The report as a person reads it. */
public final class ReportText {
    private static final int METHODS = 8;
    private static final int SHOWN = 3;
    private static final int WIDTH = 110;

    private final Findings found;
    private final List<String> lines = new ArrayList<>();

    private ReportText(Findings found) {
        this.found = found;
    }

    public static List<String> of(Findings found, List<Check> checks) {
        ReportText text = new ReportText(found);
        text.clients();
        text.tee();
        text.window();
        text.verdicts();
        text.upstreams();
        text.agent();
        text.heading("Where to look next");
        NextSteps.from(found).forEach(step -> text.lines.add("  - " + step));
        text.checks(checks);
        return List.copyOf(text.lines);
    }

    private void clients() {
        Tally clients = found.clients();
        heading("What the clients saw");
        line(
                "%d requests in %.1f s (%.0f/s): %s",
                clients.answered(),
                found.loadSeconds(),
                clients.answered() / Math.max(0.001, found.loadSeconds()),
                statuses(clients));
        line(
                "latency in ms: p50 %.1f   p90 %.1f   p99 %.1f   p99.9 %.1f   max %.1f",
                clients.millis(50), clients.millis(90), clients.millis(99), clients.millis(99.9), clients.millis(100));
    }

    private static String statuses(Tally clients) {
        StringBuilder text = new StringBuilder();
        clients.statuses()
                .forEach((status, count) -> text.append(text.isEmpty() ? "" : ", ")
                        .append(count)
                        .append(" x ")
                        .append(status));
        return text.toString();
    }

    private void tee() {
        JsonNode listener = found.listener();
        heading("What was teed");
        line(
                "%s from the clients, %s to them, %s copied; %d connections",
                size(listener.at("/bytes/request")),
                size(listener.at("/bytes/reply")),
                size(listener.at("/bytes/teed")),
                listener.at("/connections/opened").asLong());
        line(
                "%d exchanges in production, %d in debug: %s",
                found.exchanges("production"),
                found.exchanges("debug"),
                listener.path("fidelity").asText());
        for (String side : List.of("production", "debug")) {
            JsonNode latency = listener.path("latencyMillis").path(side);
            line(
                    "%-10s answers in ms: p50 %.1f   p99 %.1f   max %.1f",
                    side,
                    latency.path("p50").asDouble(),
                    latency.path("p99").asDouble(),
                    latency.path("max").asDouble());
        }
    }

    private void window() {
        JsonNode window = found.window();
        heading("The debug window");
        line(
                "at its worst %s held of %s, the fullest lane or all %.1f %% full, %.1f s "
                        + "behind; caught up %.1f s after the last request",
                size(window.path("peakBytes")),
                size(window.path("capacityBytes")),
                100 * window.path("peakUtilisation").asDouble(),
                window.path("peakLagMillis").asDouble() / 1_000,
                found.catchUpSeconds());
    }

    private void verdicts() {
        heading("Verdicts");
        line(
                "SAME %d   EQUIVALENT %d   DIFFERENT %d   NOT_COMPARED %d %s",
                found.verdicts("SAME"),
                found.verdicts("EQUIVALENT"),
                found.verdicts("DIFFERENT"),
                found.verdicts("NOT_COMPARED"),
                found.listener().path("notCompared").isEmpty()
                        ? ""
                        : found.listener().path("notCompared"));
        telling().forEach(this::verdict);
    }

    /** Up to three: what isn't alike first, then the latest one of each class of noise. */
    private List<JsonNode> telling() {
        List<JsonNode> telling = new ArrayList<>();
        found.verdicts().path("DIFFERENT").forEach(telling::add);
        found.verdicts().path("NOT_COMPARED").forEach(telling::add);
        Set<String> noises = new HashSet<>(Set.of("DATE_HEADER"));
        List<JsonNode> usual = new ArrayList<>();
        for (JsonNode verdict : found.verdicts().path("EQUIVALENT")) {
            boolean news = false;
            for (JsonNode difference : verdict.path("differences")) {
                news |= noises.add(difference.path("noise").asText());
            }
            (news ? telling : usual).add(verdict);
        }
        telling.addAll(usual);
        return telling.subList(0, Math.min(SHOWN, telling.size()));
    }

    private void verdict(JsonNode verdict) {
        line(
                "%s %s (exchange %s, trace %s)",
                verdict.path("kind").asText(),
                verdict.path("request").asText(),
                verdict.path("exchange").asText(),
                verdict.path("trace").asText("none"));
        if (verdict.hasNonNull("reason")) {
            line("    %s", verdict.path("reason").asText());
        }
        for (JsonNode difference : verdict.path("differences")) {
            line(
                    "    %s %s: %s | %s%s",
                    difference.path("type").asText(),
                    difference.path("path").asText(),
                    shortened(difference.path("production")),
                    shortened(difference.path("debug")),
                    difference.hasNonNull("noise")
                            ? "   [" + difference.path("noise").asText() + "]"
                            : "");
        }
    }

    private static String shortened(JsonNode value) {
        String text = value.isNull() || value.isMissingNode() ? "-" : value.asText();
        return text.length() <= 40 ? text : text.substring(0, 37) + "...";
    }

    private void upstreams() {
        Upstreams real = found.upstreams();
        heading("The real upstreams, by their own statistics");
        line("rows: %s; %s", real.rows(), real.sums());
        line("statements of user orders: %s", real.statements());
        line("Redis commands: %s", real.commands());
        line("open connections of user orders: %s; pricing was asked %d times", real.connections(), real.prices());
        for (JsonNode upstream : found.aggregator().path("upstreams")) {
            JsonNode debug = upstream.path("debug");
            line(
                    "%-9s %d recorded from production; debug asked %d: %d replayed, %d "
                            + "answered locally, %d waited, %d missed",
                    upstream.path("name").asText(),
                    upstream.at("/production/exchanges").asLong(),
                    debug.path("requests").asLong(),
                    debug.path("replayed").asLong(),
                    debug.path("local").asLong(),
                    debug.path("waited").asLong(),
                    debug.path("missed").asLong());
        }
        for (JsonNode miss : found.misses()) {
            line("    missed on %s: %s", miss.path("upstream").asText(), shortened(miss.path("form")));
        }
    }

    private void agent() {
        heading("What the agent saw in the debug JVM");
        for (JsonNode agent : found.agents()) {
            line(
                    "%s: %d probes in %d classes, %d exchanges; budget %.1f %% of a core (at "
                            + "most %.1f %%), %.1f %% spent",
                    agent.path("state").asText(),
                    agent.path("probes").asLong(),
                    agent.path("classes").asLong(),
                    agent.path("exchanges").asLong(),
                    100 * agent.path("budget").asDouble(),
                    100 * agent.path("budgetMax").asDouble(),
                    100 * agent.path("spent").asDouble());
            if (agent.hasNonNull("why")) {
                line("its last decision: %s", agent.path("why").asText());
            }
            int shown = 0;
            for (JsonNode method : agent.path("methods")) {
                if (shown++ < METHODS) {
                    line(
                            "%9d hits %9d samples %6.1f %%   mean %8.0f us   %s",
                            method.path("hits").asLong(),
                            method.path("samples").asLong(),
                            100 * method.path("rate").asDouble(),
                            method.path("meanMicros").asDouble(),
                            method.path("method").asText());
                }
            }
        }
    }

    private void checks(List<Check> checks) {
        heading("Invariants");
        for (Check check : checks) {
            String line = "%-6s  %-50s  %s".formatted(check.held() ? "ok" : "FAILED", check.name(), check.figures());
            lines.add(
                    "  " + (check.held() && line.length() > WIDTH + 40 ? line.substring(0, WIDTH + 37) + "..." : line));
        }
    }

    private void heading(String text) {
        lines.add("");
        lines.add(text);
    }

    private void line(String format, Object... values) {
        lines.add("  " + String.format(Locale.ROOT, format, values).stripTrailing());
    }

    private static String size(JsonNode bytes) {
        double size = bytes.asDouble();
        return size < 1_000_000
                ? String.format(Locale.ROOT, "%.1f kB", size / 1_000)
                : String.format(Locale.ROOT, "%.1f MB", size / 1_000_000);
    }
}
