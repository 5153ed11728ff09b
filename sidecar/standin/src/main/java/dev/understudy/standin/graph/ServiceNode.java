package dev.understudy.standin.graph;

import dev.understudy.standin.trace.NodeKind;
import java.util.List;

/**
 * A service, or a peer that is known from its callers alone.
 *
 * @param name unique in its graph
 * @param kind what it is
 * @param routes the most asked for first; empty for peers
 */
public record ServiceNode(String name, NodeKind kind, List<ServiceRoute> routes) {
    public ServiceNode {
        routes = List.copyOf(routes);
    }

    /** How many requests it had in the traces. */
    public long requests() {
        return routes.stream().mapToLong(ServiceRoute::requests).sum();
    }
}
