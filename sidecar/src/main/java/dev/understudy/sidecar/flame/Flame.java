package dev.understudy.sidecar.flame;

import java.util.List;

/**
 * The stacks of a span of time. Immutable, but for its arrays, which are nobody else's.
 *
 * @param names of frames
 * @param routes that with the most stacks first
 * @param waiting stacks whose exchange isn't over yet, or of which nothing was heard; in no route yet
 * @param forgotten spans that begin before that have only what was heard later, in milliseconds since 1970; 0 if all
 *     have all
 */
public record Flame(List<String> names, List<Route> routes, int waiting, long forgotten) {
    public Flame {
        names = List.copyOf(names);
        routes = List.copyOf(routes);
    }

    /**
     * A span of time, by when the sidecar heard of samples.
     *
     * @param from in milliseconds since 1970; 0 for the beginning
     * @param to the same, not in it; {@link Long#MAX_VALUE} for now
     */
    public record Span(long from, long to) {
        /** Since the beginning. */
        public static final Span ALL = new Span(0, Long.MAX_VALUE);

        public Span {
            if (from < 0 || to <= from) {
                throw new IllegalArgumentException("to: " + to + " (expected: more than from, " + from + ")");
            }
        }

        /** Whether that time is in it. */
        public boolean contains(long time) {
            return from <= time && time < to;
        }
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
