package dev.understudy.sidecar.flame;

import java.util.List;

/**
 * All stacks at one time. Immutable, but for its arrays, which are nobody else's.
 *
 * @param names of frames
 * @param routes that with the most stacks first
 * @param waiting stacks whose exchange isn't over yet, or of which nothing was heard; in no route yet
 */
public record Flame(List<String> names, List<Route> routes, int waiting) {
    public Flame {
        names = List.copyOf(names);
        routes = List.copyOf(routes);
    }

    /**
     * The stacks of one route.
     *
     * @param listener empty if it isn't known
     * @param debug which debug JVM; empty if it isn't known
     * @param samples how many there were
     * @param left how many of them aren't among the nodes, for want of room
     * @param nodes three numbers each: its parent's place among the nodes, -1 for none; the number of its name; how
     *     often it was on top
     */
    public record Route(String listener, String debug, String route, long samples, long left, long[] nodes) {}
}
