package dev.understudy.standin.print;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * A graph's nodes in columns, callers left, in an order with few crossings. An arrow that passes columns has a place
 * in each of them, so that it passes no box. Items are numbers: first the nodes, then such places.
 */
final class GraphColumns {
    private static final int SWEEPS = 4;
    /** With more, arrows go straight: nobody could follow them anyway. */
    private static final int MOST_PLACES = 20_000;

    private final List<List<Integer>> columns = new ArrayList<>();
    private final List<List<Integer>> paths = new ArrayList<>();
    private final List<List<Integer>> left = new ArrayList<>();
    private final List<List<Integer>> right = new ArrayList<>();
    private final int[] ranks;
    private int items;

    GraphColumns(int nodes, List<ServiceArrow> arrows) {
        ranks = ArrowRanks.of(nodes, arrows);
        int last = Arrays.stream(ranks).max().orElse(0);
        for (int rank = 0; rank <= last; rank++) {
            columns.add(new ArrayList<>());
        }
        for (int node = 0; node < nodes; node++) {
            item(ranks[node]);
        }
        for (ServiceArrow arrow : arrows) {
            paths.add(path(arrow, nodes));
        }
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            sort(sweep % 2 == 0);
        }
    }

    /** The items of each column from above, the left one first. */
    List<List<Integer>> columns() {
        return columns;
    }

    /** The items that each arrow passes from left to right, with its ends; in the order of the arrows. */
    List<List<Integer>> paths() {
        return paths;
    }

    /** Whether an arrow leads from left to right. */
    boolean isForward(ServiceArrow arrow) {
        return ranks[arrow.from()] < ranks[arrow.to()];
    }

    private int item(int column) {
        columns.get(column).add(items);
        left.add(new ArrayList<>());
        right.add(new ArrayList<>());
        return items++;
    }

    private List<Integer> path(ServiceArrow arrow, int nodes) {
        int leftEnd = isForward(arrow) ? arrow.from() : arrow.to();
        int rightEnd = isForward(arrow) ? arrow.to() : arrow.from();
        List<Integer> path = new ArrayList<>(List.of(leftEnd));
        for (int rank = ranks[leftEnd] + 1; rank < ranks[rightEnd] && items < nodes + MOST_PLACES; rank++) {
            path.add(item(rank));
        }
        path.add(rightEnd);
        if (leftEnd != rightEnd) {
            for (int i = 1; i < path.size(); i++) {
                right.get(path.get(i - 1)).add(path.get(i));
                left.get(path.get(i)).add(path.get(i - 1));
            }
        }
        return path;
    }

    /** Puts each item beside the mean of those that it is connected with in the column before. */
    private void sort(boolean rightwards) {
        double[] heights = new double[items];
        double[] wanted = new double[items];
        for (int n = 0; n < columns.size(); n++) {
            List<Integer> column = columns.get(rightwards ? n : columns.size() - 1 - n);
            List<List<Integer>> near = rightwards ? left : right;
            for (int i = 0; i < column.size(); i++) {
                double otherwise = (i + 0.5) / column.size();
                int item = column.get(i);
                wanted[item] = near.get(item).stream()
                        .mapToDouble(other -> heights[other])
                        .average()
                        .orElse(otherwise);
            }
            column.sort(Comparator.comparingDouble(item -> wanted[item]));
            for (int i = 0; i < column.size(); i++) {
                heights[column.get(i)] = (i + 0.5) / column.size();
            }
        }
    }
}
