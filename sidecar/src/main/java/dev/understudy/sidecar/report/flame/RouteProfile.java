package dev.understudy.sidecar.report.flame;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The stacks, or the allocations, of one route. Immutable.
 *
 * @param listener empty if it isn't known
 * @param debug which debug JVM; empty if it isn't known
 * @param samples how many stacks there were, or bytes
 * @param left how many of them aren't among the nodes
 * @param production how long production takes
 * @param debugTimes how long debug takes, with what its agent takes
 * @param nodes a tree of calls, parents before their children
 * @param sampled of allocations, how many were sampled; empty of stacks
 */
public record RouteProfile(
        String listener,
        String debug,
        String route,
        long samples,
        long left,
        FlameTimes production,
        FlameTimes debugTimes,
        List<Node> nodes,
        String sampled) {
    public RouteProfile {
        nodes = List.copyOf(nodes);
    }

    /**
     * A frame below another.
     *
     * @param parent its place among the nodes, -1 for none
     * @param self how often it was on top
     */
    public record Node(int parent, String name, long self) {}

    /** A method, with how many stacks it was on top of. */
    public record Hot(String name, long self) {}

    /**
     * What stands for how allocations were sampled.
     *
     * @param samples how many were sampled
     * @param bytes for how many they stand
     * @param all of how many that is a part
     */
    public static String ofBytes(long samples, long bytes, long all) {
        return String.format(
                Locale.ROOT,
                "%d %s of %s, %.0f %% of what was sampled there",
                samples,
                samples == 1 ? "sample" : "samples",
                Bytes.text(bytes),
                100.0 * bytes / Math.max(1, all));
    }

    /**
     * A tree from numbers: its parent's place, -1 for none, the number of its name, and its own weight, for each node.
     */
    public static List<Node> nodes(long[] numbers, List<String> names) {
        List<Node> nodes = new ArrayList<>(numbers.length / 3);
        for (int i = 0; i + 2 < numbers.length; i += 3) {
            nodes.add(new Node((int) numbers[i], names.get((int) numbers[i + 1]), numbers[i + 2]));
        }
        return nodes;
    }

    /** All of them as one tree, with a node for each. */
    public static RouteProfile together(List<RouteProfile> routes) {
        if (routes.size() == 1) {
            return routes.get(0);
        }
        List<Node> nodes = new ArrayList<>();
        long samples = 0;
        long left = 0;
        String sampled = "";
        for (RouteProfile route : routes) {
            int root = nodes.size();
            nodes.add(new Node(-1, route.name(), 0));
            route.nodes.forEach(
                    node -> nodes.add(new Node(node.parent < 0 ? root : root + 1 + node.parent, node.name, node.self)));
            samples += route.samples;
            left += route.left;
            sampled = route.sampled;
        }
        return new RouteProfile("", "", "all routes", samples, left, FlameTimes.NONE, FlameTimes.NONE, nodes, sampled);
    }

    /** {@code GET /orders/{n} (orders, debug)}. */
    public String name() {
        return Collapsed.clean(listener.isEmpty() ? route : route + " (" + listener + ", " + debug + ")");
    }

    /** How long both sides take, in a line. */
    public String header() {
        if (isOfBytes()) {
            return sampled + (left > 0 ? "; " + Bytes.text(left) + " left out for want of room" : "");
        }
        StringBuilder line = new StringBuilder().append(samples).append(samples == 1 ? " stack" : " stacks");
        if (left > 0) {
            line.append(" (").append(left).append(" left out for want of room)");
        }
        if (!listener.isEmpty()) {
            line.append("; debug ").append(debugTimes).append("; production ").append(production);
            if (factor() > 0) {
                line.append(String.format(Locale.ROOT, "; debug's median is %.2f times production's", factor()));
            }
        }
        return line.toString();
    }

    /** Whether it is of allocations: bytes, whose nodes without callees are what was made. */
    public boolean isOfBytes() {
        return !sampled.isEmpty();
    }

    /** What is counted, so many of which there are. */
    String unit() {
        return isOfBytes() ? "bytes" : "stacks";
    }

    /** How many times as long debug takes; 0 if it isn't known. */
    public double factor() {
        return production.count() == 0 || debugTimes.count() == 0 || production.median() == 0
                ? 0
                : debugTimes.median() / production.median();
    }

    /** The methods that were most often on top, or that made most, with what they made. */
    public List<Hot> hottest(int most) {
        Map<String, Long> selves = new HashMap<>();
        nodes.forEach(node -> selves.merge(hotName(node), node.self(), Long::sum));
        List<Hot> hot = new ArrayList<>();
        selves.forEach((name, self) -> {
            if (self > 0) {
                hot.add(new Hot(Collapsed.clean(name), self));
            }
        });
        hot.sort(Comparator.comparingLong(Hot::self).reversed().thenComparing(Hot::name));
        return List.copyOf(hot.subList(0, Math.min(most, hot.size())));
    }

    private String hotName(Node node) {
        return isOfBytes() && node.parent() >= 0
                ? nodes.get(node.parent()).name() + " makes " + node.name()
                : node.name();
    }

    /** Of each node: how many stacks it is in. */
    long[] totals() {
        long[] totals = new long[nodes.size()];
        for (int i = nodes.size() - 1; i >= 0; i--) {
            totals[i] += nodes.get(i).self();
            if (nodes.get(i).parent() >= 0) {
                totals[nodes.get(i).parent()] += totals[i];
            }
        }
        return totals;
    }
}
