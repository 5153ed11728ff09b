package dev.understudy.sidecar.flame;

import java.util.List;

/**
 * The sampled allocations of a span of time. Immutable, but for its arrays, which are nobody else's.
 *
 * @param names of frames, and of what was made
 * @param agents that with the most bytes first
 * @param forgotten spans that begin before that have only what was heard later, in milliseconds since 1970; 0 if all
 *     have all
 */
public record Allocated(List<String> names, List<Agent> agents, long forgotten) {
    public Allocated {
        names = List.copyOf(names);
        agents = List.copyOf(agents);
    }

    /**
     * Those of one debug JVM; its own counts are since the beginning, whatever the span.
     *
     * @param perSecond how many samples there may be in a second
     * @param samples how many there were
     * @param bytes for how many bytes they stand
     * @param left how many of these are in no route, since the agent had no room for them
     * @param allocated how many the JVM allocated in all meanwhile, by its own count; -1 if it can't tell
     * @param waiting stacks whose exchange isn't over yet, or of which nothing was heard; in no route yet
     * @param routes that with the most bytes first
     */
    public record Agent(
            String name,
            int perSecond,
            long samples,
            long bytes,
            long left,
            long allocated,
            int waiting,
            List<Route> routes) {
        public Agent {
            routes = List.copyOf(routes);
        }
    }

    /**
     * Those of one route, or of no exchange.
     *
     * @param listener empty if it isn't known, or there is none
     * @param debug which debug JVM; empty if it isn't known
     * @param samples how many there were
     * @param bytes for how many bytes they stand
     * @param left how many of these aren't among the nodes, for want of room
     * @param nodes three numbers each: its parent's place among the nodes, -1 for none; the number of its name; its own
     *     bytes
     */
    public record Route(
            String listener, String debug, String route, long samples, long bytes, long left, long[] nodes) {}
}
