package dev.understudy.sidecar.report.flame;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Where the boxes of one route's flame graph stand: the thread's first frame on top, callees below, the largest at the
 * left.
 */
public final class FlameBoxes {
    private static final int MOST = 4000;

    private final RouteProfile route;
    private final double narrowest;
    private final long[] totals;
    private final List<List<Integer>> children = new ArrayList<>();
    private final List<Box> boxes = new ArrayList<>();
    private int narrow;

    private FlameBoxes(RouteProfile route, double narrowest) {
        this.route = route;
        this.narrowest = narrowest;
        this.totals = route.totals();
    }

    /**
     * A frame.
     *
     * @param left where it begins, 0 to 1
     * @param width of the whole, 0 to 1
     * @param depth 0 for a thread's first frame
     * @param count in how many stacks it is
     */
    public record Box(String name, double left, double width, int depth, long count) {}

    /**
     * All boxes.
     *
     * @param narrow frames that are too narrow to be shown, with all that they call
     */
    public record Drawn(List<Box> boxes, int narrow) {
        public Drawn {
            boxes = List.copyOf(boxes);
        }
    }

    /**
     * Places them.
     *
     * @param narrowest the least width of a box, 0 to 1
     */
    public static Drawn of(RouteProfile route, double narrowest) {
        FlameBoxes drawing = new FlameBoxes(route, narrowest);
        drawing.draw();
        return new Drawn(drawing.boxes, drawing.narrow);
    }

    private void draw() {
        List<Integer> roots = new ArrayList<>();
        long all = 0;
        for (int i = 0; i < totals.length; i++) {
            children.add(new ArrayList<>());
            int parent = route.nodes().get(i).parent();
            (parent < 0 ? roots : children.get(parent)).add(i);
            all += parent < 0 ? totals[i] : 0;
        }
        if (all > 0) {
            place(roots, 0, 0, all);
        }
    }

    /** Row by row, so that no stack is too deep for ours. */
    private void place(List<Integer> roots, double left, int depth, long all) {
        List<Placed> row = row(new Placed(roots, left), all, depth);
        for (int below = depth + 1; !row.isEmpty(); below++) {
            List<Placed> next = new ArrayList<>();
            for (Placed parent : row) {
                next.addAll(row(parent, all, below));
            }
            row = next;
        }
    }

    private List<Placed> row(Placed parent, long all, int depth) {
        List<Placed> placed = new ArrayList<>();
        double left = parent.left();
        parent.nodes()
                .sort(Comparator.<Integer>comparingLong(node -> totals[node])
                        .reversed()
                        .thenComparing(node -> route.nodes().get(node).name()));
        for (int node : parent.nodes()) {
            double width = (double) totals[node] / all;
            if (width < narrowest || boxes.size() >= MOST) {
                narrow++;
                continue;
            }
            boxes.add(new Box(route.nodes().get(node).name(), left, width, depth, totals[node]));
            placed.add(new Placed(children.get(node), left));
            left += width;
        }
        return placed;
    }

    /** What stands below a box that begins there. */
    private record Placed(List<Integer> nodes, double left) {}
}
