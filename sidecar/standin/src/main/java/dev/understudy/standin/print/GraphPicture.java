package dev.understudy.standin.print;

import dev.understudy.sidecar.report.Markup;
import dev.understudy.standin.graph.ServiceGraph;
import dev.understudy.standin.graph.ServiceNode;
import dev.understudy.standin.trace.NodeKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * A graph as SVG: callers left, and each arrow with its calls per request of the caller. It is light or dark as whoever
 * looks at it prefers.
 */
public final class GraphPicture {
    private static final int MOST_ARROWS = 2_000;
    private static final int OWN_DEPTH = 26;
    private static final int BACK_BELOW = 13;
    /** A point of an arrow's last bend. */
    private static final double NEAR_END_X = 0.7;

    private static final double NEAR_END_Y = 0.84;
    private static final double THINNEST = 1.2;
    private static final double THICKEST = 6;
    private static final String STYLE = """
            svg{color:#1b1f24;background:#ffffff}
            text{fill:currentColor;stroke:none}
            .box{fill:#f4f6f8;stroke:currentColor;stroke-width:1.2}
            .peer{stroke-dasharray:5 3}
            .small{font-size:11px;opacity:.75}
            .arrow{fill:none;stroke:#1f6fb4;stroke-opacity:.75}
            .back{stroke:#c8501e}
            .head{fill:#1f6fb4}
            .backhead{fill:#c8501e}
            .count{font-size:11px;paint-order:stroke;stroke:#ffffff;stroke-width:4px;stroke-linejoin:round}
            @media (prefers-color-scheme:dark){
            svg{color:#e6e8eb;background:#15181c}
            .box{fill:#22272e}
            .arrow{stroke:#6cb2eb}
            .back{stroke:#f0905f}
            .head{fill:#6cb2eb}
            .backhead{fill:#f0905f}
            .count{stroke:#15181c}
            }
            """;

    private final Markup svg = new Markup();
    private final List<ServiceNode> nodes;
    private final List<ServiceArrow> arrows;
    private final GraphColumns columns;
    private final GraphPlaces places;
    private final long mostCalls;
    private final int leftOut;

    private GraphPicture(ServiceGraph graph) {
        nodes = graph.nodes();
        List<ServiceArrow> all = ServiceArrow.of(nodes);
        arrows = all.stream().limit(MOST_ARROWS).toList();
        leftOut = all.size() - arrows.size();
        columns = new GraphColumns(nodes.size(), arrows);
        places = new GraphPlaces(nodes, columns.columns());
        mostCalls = arrows.stream().mapToLong(ServiceArrow::calls).max().orElse(1);
    }

    /** The document. Of more than 2,000 arrows, those with the most calls are drawn. */
    public static String svg(ServiceGraph graph) {
        return new GraphPicture(graph).draw();
    }

    private String draw() {
        String width = number(places.width());
        String height = number(places.height() + OWN_DEPTH / 2.0);
        svg.open(
                "svg",
                "xmlns",
                "http://www.w3.org/2000/svg",
                "width",
                width,
                "height",
                height,
                "viewBox",
                "0 0 " + width + " " + height,
                "font-family",
                "sans-serif",
                "font-size",
                "13");
        svg.open("style").raw(STYLE).close("style");
        marker("head");
        marker("backhead");
        for (int i = 0; i < arrows.size(); i++) {
            arrow(arrows.get(i), columns.paths().get(i));
        }
        for (int i = 0; i < nodes.size(); i++) {
            box(nodes.get(i), i);
        }
        for (int i = 0; i < arrows.size(); i++) {
            count(arrows.get(i), columns.paths().get(i));
        }
        if (leftOut > 0) {
            String note = leftOut + " arrows with the fewest calls aren't drawn";
            svg.element("text", note, "class", "small", "x", "8", "y", "16");
        }
        return svg.close("svg").toString();
    }

    private void marker(String kind) {
        svg.open(
                "marker",
                "id",
                kind,
                "viewBox",
                "0 0 10 10",
                "refX",
                "9",
                "refY",
                "5",
                "markerWidth",
                "10",
                "markerHeight",
                "10",
                "markerUnits",
                "userSpaceOnUse",
                "orient",
                "auto");
        svg.empty("path", "d", "M0 0L10 5L0 10z", "class", kind).close("marker");
    }

    private void box(ServiceNode node, int item) {
        boolean isService = node.kind() == NodeKind.SERVICE;
        double top = places.middle(item) - GraphPlaces.BOX_HEIGHT / 2.0;
        double middle = (places.left(item) + places.right(item)) / 2;
        svg.open("g").element("title", node.name());
        svg.empty(
                "rect",
                "class",
                isService ? "box" : "box peer",
                "x",
                number(places.left(item)),
                "y",
                number(top),
                "width",
                number(places.right(item) - places.left(item)),
                "height",
                String.valueOf(GraphPlaces.BOX_HEIGHT),
                "rx",
                isService ? "5" : "14");
        String below = isService
                ? node.requests() + (node.requests() == 1 ? " request" : " requests")
                : node.kind().name().toLowerCase(Locale.ROOT);
        text(middle, top + 18, "name", GraphPlaces.label(node));
        text(middle, top + 34, "small", below);
        svg.close("g");
    }

    private void arrow(ServiceArrow arrow, List<Integer> path) {
        boolean isForward = columns.isForward(arrow);
        double share = Math.sqrt(arrow.calls() / (double) mostCalls);
        svg.open("g").element("title", title(arrow));
        svg.empty(
                "path",
                "class",
                isForward ? "arrow" : "arrow back",
                "d",
                arrow.isOwn() ? own(arrow.from()) : line(path, isForward),
                "stroke-width",
                number(THINNEST + share * (THICKEST - THINNEST)),
                "marker-end",
                isForward ? "url(#head)" : "url(#backhead)");
        svg.close("g");
    }

    /** From side to side; those that lead back end somewhat lower. */
    private String line(List<Integer> leftToRight, boolean isForward) {
        List<Integer> path = new ArrayList<>(leftToRight);
        if (!isForward) {
            Collections.reverse(path);
        }
        double x = side(path.get(0), isForward);
        double y = height(path.get(0), isForward);
        StringBuilder line = new StringBuilder("M").append(pair(x, y));
        for (int item : path.subList(1, path.size())) {
            double toX = side(item, !isForward);
            double toY = height(item, isForward);
            double half = (x + toX) / 2;
            line.append('C').append(pair(half, y)).append(' ').append(pair(half, toY));
            line.append(' ').append(pair(toX, toY));
            x = side(item, isForward);
            y = toY;
            line.append(item < nodes.size() ? "" : "H" + number(x));
        }
        return line.toString();
    }

    /** Below its box. */
    private String own(int node) {
        double middle = (places.left(node) + places.right(node)) / 2;
        double bottom = places.middle(node) + GraphPlaces.BOX_HEIGHT / 2.0;
        return "M" + pair(middle + 18, bottom) + "C" + pair(middle + 18, bottom + OWN_DEPTH) + " "
                + pair(middle - 18, bottom + OWN_DEPTH) + " " + pair(middle - 18, bottom);
    }

    private void count(ServiceArrow arrow, List<Integer> path) {
        String label = arrow.perRequest() < 0.005 ? "<0.01" : String.format(Locale.ROOT, "%.2f", arrow.perRequest());
        if (arrow.isOwn()) {
            double bottom = places.middle(arrow.from()) + GraphPlaces.BOX_HEIGHT / 2.0;
            text((places.left(arrow.from()) + places.right(arrow.from())) / 2, bottom + 16, "count", label);
            return;
        }
        boolean isForward = columns.isForward(arrow);
        int first = path.get(isForward ? 0 : path.size() - 2);
        int second = path.get(isForward ? 1 : path.size() - 1);
        double x = between(places.right(first), places.left(second), isForward ? 0.5 : NEAR_END_X);
        double y = between(height(first, isForward), height(second, isForward), isForward ? 0.5 : NEAR_END_Y);
        text(x, y + (isForward ? -5 : 13), "count", label);
    }

    private static double between(double from, double to, double share) {
        return from + share * (to - from);
    }

    private double side(int item, boolean isRight) {
        return isRight ? places.right(item) : places.left(item);
    }

    private double height(int item, boolean isForward) {
        return places.middle(item) + (isForward || item >= nodes.size() ? 0 : BACK_BELOW);
    }

    private String title(ServiceArrow arrow) {
        return nodes.get(arrow.from()).name() + " → " + nodes.get(arrow.to()).name() + ": " + arrow.calls() + " calls";
    }

    private void text(double x, double y, String kind, String text) {
        svg.element("text", text, "class", kind, "x", number(x), "y", number(y), "text-anchor", "middle");
    }

    private static String pair(double x, double y) {
        return number(x) + " " + number(y);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
