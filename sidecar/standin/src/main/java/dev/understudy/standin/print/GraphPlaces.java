package dev.understudy.standin.print;

import dev.understudy.divergence.content.Folding;
import dev.understudy.standin.graph.ServiceNode;
import java.util.List;

/** Where the items of a graph's picture are, in pixels. */
final class GraphPlaces {
    static final int BOX_HEIGHT = 42;
    private static final int MARGIN = 24;
    private static final int PASS_HEIGHT = 14;
    private static final int GAP_ABOVE = 28;
    private static final int GAP_BETWEEN = 110;
    private static final int LEAST_WIDTH = 90;
    private static final int PADDING = 22;
    private static final int LONGEST_NAME = 40;
    private static final double NARROW = 7.4;
    private static final double WIDE = 14;
    /** From there on, scripts have characters as wide as they are high. */
    private static final int WIDE_FROM = 0x2e80;

    private final double[] lefts;
    private final double[] widths;
    private final double[] middles;
    private double width;
    private double height;

    GraphPlaces(List<ServiceNode> nodes, List<List<Integer>> columns) {
        int items = columns.stream().mapToInt(List::size).sum();
        lefts = new double[items];
        widths = new double[items];
        middles = new double[items];
        height = columns.stream()
                .mapToDouble(column -> height(column, nodes.size()))
                .max()
                .orElse(0);
        double x = MARGIN;
        for (List<Integer> column : columns) {
            double widest = column.stream()
                    .mapToDouble(item -> item < nodes.size() ? width(nodes.get(item)) : 0)
                    .max()
                    .orElse(0);
            place(column, nodes.size(), x, widest);
            x += widest + GAP_BETWEEN;
        }
        width = x - GAP_BETWEEN + MARGIN;
        height += 2 * MARGIN;
    }

    /** A name as it stands in a box. */
    static String label(ServiceNode node) {
        return Folding.shortened(node.name(), LONGEST_NAME);
    }

    double left(int item) {
        return lefts[item];
    }

    double right(int item) {
        return lefts[item] + widths[item];
    }

    /** Its middle from above. */
    double middle(int item) {
        return middles[item];
    }

    double width() {
        return width;
    }

    double height() {
        return height;
    }

    private void place(List<Integer> column, int nodes, double x, double widest) {
        double y = MARGIN + (height - height(column, nodes)) / 2;
        for (int item : column) {
            double own = item < nodes ? BOX_HEIGHT : PASS_HEIGHT;
            lefts[item] = x;
            widths[item] = widest;
            middles[item] = y + own / 2;
            y += own + GAP_ABOVE;
        }
    }

    private static double height(List<Integer> column, int nodes) {
        double sum = 0;
        for (int item : column) {
            sum += (item < nodes ? BOX_HEIGHT : PASS_HEIGHT) + GAP_ABOVE;
        }
        return Math.max(0, sum - GAP_ABOVE);
    }

    private static double width(ServiceNode node) {
        double text = label(node)
                .codePoints()
                .mapToDouble(c -> c < WIDE_FROM ? NARROW : WIDE)
                .sum();
        return Math.max(LEAST_WIDTH, text + PADDING);
    }
}
