package dev.understudy.sidecar.command.steer;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** What an agent reports of methods, a line each; names, which may be long, stand last. Stateless. */
final class MethodTable {
    private static final String ROW = "%10s %8s %9s %9s %10s %9s %9s  %-6s %s%n";
    /** The smallest share that is told. */
    private static final double SMALLEST = 0.0001;

    private static final double NANOS_PER_MICRO = 1000;

    private MethodTable() {}

    /** By what the lines are sorted; the largest comes first. */
    enum Key {
        CALLS,
        /** Of all samples in a second, in microseconds. */
        COST,
        /** Of all calls so far, in microseconds: of one that is called twice a minute a rate says nothing. */
        TIME,
        MAX;

        private double of(JsonNode method) {
            double calls = method.path("hitsPerSecond").asDouble();
            return switch (this) {
                case CALLS -> calls;
                case COST ->
                    calls
                            * method.path("rate").asDouble()
                            * method.path("costNanos").asDouble()
                            / NANOS_PER_MICRO;
                case TIME ->
                    method.path("hits").asDouble() * method.path("meanMicros").asDouble();
                case MAX -> method.path("maxMicros").asDouble();
            };
        }
    }

    /** Prints them; {@code shared} if some may be closed since another agent looks at them. */
    static void print(List<JsonNode> methods, Key key, boolean shared, PrintWriter out) {
        out.printf(ROW, "calls/s", "sampled", "cost us/s", "mean us", "max us", "cpu us", "alloc B", "state", "method");
        methods.stream().sorted(Comparator.comparingDouble(key::of).reversed()).forEach(method -> print(method, out));
        if (methods.stream().anyMatch(MethodTable::isClosed)) {
            out.println("closed: calls aren't seen, since counting them costs too much"
                    + (shared ? ", or since another agent looks at the class" : ""));
        }
    }

    private static void print(JsonNode method, PrintWriter out) {
        boolean sampled = method.path("samples").asLong() > 0;
        out.printf(
                ROW,
                figure(method.path("hitsPerSecond"), "%.1f"),
                share(method.path("rate").asDouble()),
                String.format(Locale.ROOT, "%.1f", Key.COST.of(method)),
                sampled ? figure(method.path("meanMicros"), "%.1f") : "-",
                sampled ? figure(method.path("maxMicros"), "%.1f") : "-",
                figure(method.path("cpuMicros"), "%.1f"),
                figure(method.path("allocatedBytes"), "%.0f"),
                isClosed(method) ? "closed" : method.path("ordered").asText("-"),
                method.path("method").asText() + counters(method.path("counters")));
    }

    private static boolean isClosed(JsonNode method) {
        return !method.path("counted").asBoolean(true)
                && !method.path("ordered").asText().equals("off");
    }

    /** What is more than nothing never looks like it. */
    private static String share(double share) {
        return share > 0 && share < SMALLEST
                ? String.format(Locale.ROOT, "<%.2f%%", 100 * SMALLEST)
                : String.format(Locale.ROOT, "%.2f%%", 100 * share);
    }

    private static String counters(JsonNode counters) {
        StringBuilder text = new StringBuilder();
        counters.properties()
                .forEach(counter -> text.append(' ')
                        .append(counter.getKey())
                        .append('=')
                        .append(figure(counter.getValue(), "%.0f")));
        return text.toString();
    }

    /** A dash where nothing was measured. */
    private static String figure(JsonNode figure, String format) {
        return figure.isNumber() ? String.format(Locale.ROOT, format, figure.asDouble()) : "-";
    }
}
