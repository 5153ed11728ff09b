package dev.understudy.standin.load;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints results for people. */
public final class LoadText {
    private static final int WIDEST = 60;

    private LoadText() {}

    /** Prints a table of the routes, and what must be known about it. */
    public static void print(LoadResult result, PrintWriter out) {
        LoadFigures total = result.total();
        int width = Math.min(
                WIDEST,
                result.routes().stream()
                        .mapToInt(route -> route.route().length())
                        .max()
                        .orElse(0));
        String names = "%-" + Math.max("route".length(), width) + "s";
        out.println(String.format(
                Locale.ROOT,
                names + " %9s %7s %9s %9s %9s %9s %9s %9s  %s",
                "route",
                "requests",
                "share",
                "per s",
                "mean ms",
                "p50",
                "p95",
                "p99",
                "max",
                "statuses and errors"));
        result.routes().forEach(route -> row(names, route, total, out));
        row(names, total, total, out);
        out.println("Times count from when each request was due; " + service(total) + ".");
        out.println();
        conclude(result, out);
    }

    private static void row(String names, LoadFigures figures, LoadFigures total, PrintWriter out) {
        String route = figures.route();
        out.println(String.format(
                        Locale.ROOT,
                        names + " %9d %6.1f%% %9.1f %9s %9s %9s %9s %9s  %s",
                        route.length() > WIDEST ? route.substring(0, WIDEST - 1) + "…" : route,
                        figures.count(),
                        100 * share(figures, total),
                        figures.reachedPerSecond(),
                        figures.hasTimes() ? millis(figures.meanMillis()) : "-",
                        percentile(figures, 50),
                        percentile(figures, 95),
                        percentile(figures, 99),
                        percentile(figures, 100),
                        outcomes(figures))
                .stripTrailing());
    }

    private static void conclude(LoadResult result, PrintWriter out) {
        LoadFigures total = result.total();
        out.println(String.format(
                Locale.ROOT,
                "wanted %.1f per second, reached %.1f in %.1f s on %d connections",
                total.wantedPerSecond(),
                total.reachedPerSecond(),
                result.seconds(),
                result.connections()));
        result.notes().forEach(note -> out.println("note: " + note));
        if (!result.isReached()) {
            out.println(String.format(
                    Locale.ROOT,
                    "The load was not reached: %.1f %% of the wanted rate, %d requests dropped "
                            + "(try more --connections, or a lower rate)",
                    100 * total.reachedPerSecond() / total.wantedPerSecond(),
                    total.dropped()));
        }
        out.flush();
    }

    /** One line of what was measured so far. */
    public static String progress(LoadResult soFar) {
        LoadFigures total = soFar.total();
        return String.format(
                Locale.ROOT,
                "%.0f s: %d requests, %.1f per second, p99 %s ms, %d under way, %d errors, %d dropped",
                soFar.seconds(),
                total.count(),
                total.reachedPerSecond(),
                percentile(total, 99),
                soFar.unfinished(),
                total.errorCount(),
                total.dropped());
    }

    /** What part of all requests a route had, 0 to 1. */
    static double share(LoadFigures route, LoadFigures total) {
        long all = total.count() + total.dropped();
        return all == 0 ? 0 : (double) (route.count() + route.dropped()) / all;
    }

    private static String service(LoadFigures total) {
        return total.replies() == 0
                ? "no reply came"
                : "from when it was sent p50 is " + millis(total.servicePercentileMillis(50)) + " ms, p99 "
                        + millis(total.servicePercentileMillis(99)) + " ms";
    }

    private static String outcomes(LoadFigures figures) {
        String statuses = join(figures.statuses());
        String errors = figures.errors().entrySet().stream()
                .map(each -> each.getKey().word() + ":" + each.getValue())
                .collect(Collectors.joining(" "));
        String dropped = figures.dropped() == 0 ? "" : "dropped:" + figures.dropped();
        return (statuses + " " + errors + " " + dropped).strip().replace("  ", " ");
    }

    private static String join(Map<Integer, Long> statuses) {
        return statuses.entrySet().stream()
                .map(each -> each.getKey() + ":" + each.getValue())
                .collect(Collectors.joining(" "));
    }

    private static String percentile(LoadFigures figures, double percent) {
        return figures.hasTimes() ? millis(figures.percentileMillis(percent)) : "-";
    }

    private static String millis(double millis) {
        return String.format(Locale.ROOT, millis < 100 ? "%.2f" : "%.0f", millis);
    }
}
