package dev.understudy.sidecar.report;

import dev.understudy.divergence.latency.LatencySample;
import java.util.Locale;

/**
 * How many answers had come after how long, of both sides: two stepped lines over a logarithmic axis of time, as SVG.
 */
final class DistributionPlot {
    private static final double WIDTH = 460;
    private static final double HEIGHT = 140;
    private static final double LEFT = 40;
    private static final double BOTTOM = 24;
    private static final double SHORTEST = 0.01;
    private static final double CLOSEST = 0.7; // points nearer than that can't be told apart

    private final double least;
    private final double decades;

    private DistributionPlot(LatencySample production, LatencySample debug) {
        double shortest = Math.min(production.percentile(0.1), debug.percentile(0.1));
        double longest = Math.max(production.percentile(100), debug.percentile(100));
        least = Math.floor(Math.log10(Math.max(SHORTEST, shortest)));
        decades = Math.max(1, Math.ceil(Math.log10(Math.max(SHORTEST, longest))) - least);
    }

    static void write(Markup page, LatencySample production, LatencySample debug) {
        new DistributionPlot(production, debug).draw(page, production, debug);
    }

    private void draw(Markup page, LatencySample production, LatencySample debug) {
        page.open(
                "svg",
                "viewBox",
                number(0) + " 0 " + number(LEFT + WIDTH + 20) + " " + number(HEIGHT + BOTTOM + 8),
                "role",
                "img",
                "aria-label",
                "Share of answers by time, production and debug");
        for (int decade = 0; decade <= decades; decade++) {
            double millis = Math.pow(10, least + decade);
            String x = number(x(millis));
            page.empty("line", "class", "grid", "x1", x, "x2", x, "y1", "4", "y2", number(HEIGHT));
            page.element("text", spelled(millis), "x", x, "y", number(HEIGHT + 16), "text-anchor", "middle");
        }
        for (int percent : new int[] {0, 50, 90, 99}) {
            String y = number(y(percent / 100.0));
            page.empty("line", "class", "grid", "x1", number(LEFT), "x2", number(LEFT + WIDTH), "y1", y, "y2", y);
            if (percent != 99) {
                page.element(
                        "text",
                        percent + " %",
                        "x",
                        number(LEFT - 4),
                        "y",
                        number(y(percent / 100.0) + 4),
                        "text-anchor",
                        "end");
            }
        }
        page.empty("polyline", "class", "production", "points", points(production));
        page.empty("polyline", "class", "debug", "points", points(debug));
        page.close("svg");
    }

    private String points(LatencySample sample) {
        StringBuilder points = new StringBuilder();
        double lastX = Double.NEGATIVE_INFINITY;
        double share = 0;
        double[] values = sample.values();
        for (int i = 0; i < values.length; i++) {
            double x = x(values[i]);
            double now = (double) sample.atMost(values[i]) / sample.size();
            if (x - lastX >= CLOSEST || i == values.length - 1) {
                points.append(number(x)).append(',').append(number(y(share))).append(' ');
                points.append(number(x)).append(',').append(number(y(now))).append(' ');
                lastX = x;
                share = now;
            }
        }
        return points.append(number(LEFT + WIDTH))
                .append(',')
                .append(number(y(1)))
                .toString();
    }

    private double x(double millis) {
        double decade = Math.log10(Math.max(SHORTEST, millis)) - least;
        return LEFT + WIDTH * Math.min(1, Math.max(0, decade / decades));
    }

    private static double y(double share) {
        return HEIGHT - (HEIGHT - 4) * share;
    }

    private static String spelled(double millis) {
        return millis >= 1000
                ? String.format(Locale.ROOT, "%.0f s", millis / 1000)
                : millis >= 1
                        ? String.format(Locale.ROOT, "%.0f ms", millis)
                        : String.format(Locale.ROOT, "%.0f µs", millis * 1000);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
