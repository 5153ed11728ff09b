package dev.understudy.sidecar.simulate;

import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/**
 * A line plot as SVG, with a logarithmic axis upwards: curves, and points with error bars.
 *
 * @param title above it
 * @param across what the x axis says
 * @param upwards what the y axis says
 * @param tick writes a value of the y axis
 * @param series what is drawn, each in a colour of its own
 */
record Plot(String title, String across, String upwards, DoubleFunction<String> tick, List<Series> series) {
    private static final int WIDTH = 860;
    private static final int HEIGHT = 480;
    private static final int LEFT = 80;
    private static final int RIGHT = 190;
    private static final int TOP = 40;
    private static final int BOTTOM = 56;
    private static final String[] COLOURS = {"#1f6fb4", "#c8501e", "#2f8f4e", "#7d4fa3", "#a03f5f", "#6b6b6b"};

    /**
     * One line of the legend.
     *
     * @param line drawn as a curve; may be empty
     * @param dots drawn as points with their error bars; may be empty
     */
    record Series(String name, List<Point> line, List<Point> dots) {}

    /** A value, and how far it may be off; values that aren't finite or positive are left out. */
    record Point(double x, double y, double error) {
        Point(double x, double y) {
            this(x, y, 0);
        }

        boolean isDrawable() {
            return Double.isFinite(x) && Double.isFinite(y) && y > 0;
        }
    }

    Plot {
        series = List.copyOf(series);
    }

    /** The document. */
    String svg() {
        Scale scale = Scale.of(series);
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
                        + "font-family=\"sans-serif\" font-size=\"12\">%n"
                        + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
                WIDTH,
                HEIGHT));
        text(svg, LEFT, TOP - 16, "start", title);
        axes(svg, scale);
        for (int i = 0; i < series.size(); i++) {
            draw(svg, scale, series.get(i), COLOURS[i % COLOURS.length], i);
        }
        return svg.append("</svg>\n").toString();
    }

    private void axes(StringBuilder svg, Scale scale) {
        for (int decade = scale.lowDecade; decade <= scale.highDecade; decade++) {
            double y = scale.y(Math.pow(10, decade));
            line(svg, LEFT, y, WIDTH - RIGHT, y, "#dddddd");
            text(svg, LEFT - 6, y + 4, "end", tick.apply(Math.pow(10, decade)));
        }
        for (int step = 0; step <= 6; step++) {
            double value = scale.lowX + (scale.highX - scale.lowX) * step / 6;
            line(svg, scale.x(value), TOP, scale.x(value), HEIGHT - BOTTOM, "#eeeeee");
            text(svg, scale.x(value), HEIGHT - BOTTOM + 16, "middle", String.format(Locale.ROOT, "%.0f", value));
        }
        text(svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14, "middle", across);
        text(svg, LEFT, TOP - 2, "middle", upwards);
    }

    private static void draw(StringBuilder svg, Scale scale, Series series, String colour, int row) {
        StringBuilder points = new StringBuilder();
        for (Point point : series.line) {
            if (point.isDrawable()) {
                points.append(String.format(Locale.ROOT, "%.1f,%.1f ", scale.x(point.x), scale.y(point.y)));
            }
        }
        svg.append("<polyline fill=\"none\" stroke=\"")
                .append(colour)
                .append("\" stroke-width=\"1.5\" points=\"")
                .append(points.toString().trim())
                .append("\"/>\n");
        for (Point point : series.dots) {
            if (point.isDrawable()) {
                double x = scale.x(point.x);
                double low = Math.max(point.y - point.error, Math.pow(10, scale.lowDecade));
                line(svg, x, scale.y(low), x, scale.y(point.y + point.error), colour);
                svg.append(String.format(
                        Locale.ROOT,
                        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>%n",
                        x,
                        scale.y(point.y),
                        colour));
            }
        }
        double y = TOP + 12 + 18 * row;
        line(svg, WIDTH - RIGHT + 12, y, WIDTH - RIGHT + 32, y, colour);
        text(svg, WIDTH - RIGHT + 38, y + 4, "start", series.name);
    }

    private static void line(StringBuilder svg, double x1, double y1, double x2, double y2, String colour) {
        svg.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>%n",
                x1,
                y1,
                x2,
                y2,
                colour));
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
        String escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        svg.append(String.format(
                Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", x, y, anchor, escaped));
    }

    /** Where values lie on the page. */
    private record Scale(double lowX, double highX, int lowDecade, int highDecade) {
        static Scale of(List<Series> all) {
            double lowX = Double.POSITIVE_INFINITY;
            double highX = Double.NEGATIVE_INFINITY;
            double lowY = Double.POSITIVE_INFINITY;
            double highY = Double.NEGATIVE_INFINITY;
            for (Series series : all) {
                for (List<Point> points : List.of(series.line, series.dots)) {
                    for (Point point : points) {
                        lowX = Math.min(lowX, point.x);
                        highX = Math.max(highX, point.x);
                        if (point.isDrawable()) {
                            lowY = Math.min(lowY, point.y);
                            highY = Math.max(highY, point.y + point.error);
                        }
                    }
                }
            }
            if (!(lowY <= highY)) {
                return new Scale(0, 1, 0, 1);
            }
            int low = (int) Math.floor(Math.log10(lowY));
            return new Scale(
                    lowX, highX > lowX ? highX : lowX + 1, low, Math.max(low + 1, (int) Math.ceil(Math.log10(highY))));
        }

        double x(double value) {
            return LEFT + (value - lowX) / (highX - lowX) * (WIDTH - RIGHT - LEFT);
        }

        double y(double value) {
            double share = (Math.log10(value) - lowDecade) / (highDecade - lowDecade);
            return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP);
        }
    }
}
