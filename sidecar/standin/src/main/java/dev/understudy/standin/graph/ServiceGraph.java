package dev.understudy.standin.graph;

import java.util.List;

/**
 * Which services call which.
 *
 * @param traces how many it is from
 * @param spans how many those have
 * @param nodes by their names
 * @param notes what is left out or unsure, in sentences
 */
public record ServiceGraph(long traces, long spans, List<ServiceNode> nodes, List<String> notes) {
    public ServiceGraph {
        nodes = List.copyOf(nodes);
        notes = List.copyOf(notes);
    }
}
