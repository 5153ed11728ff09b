package dev.understudy.standin.print;

import dev.understudy.standin.graph.ServiceNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All calls of one service to another, for a picture.
 *
 * @param from the caller's place in the graph's nodes
 * @param to the place of who is called
 * @param calls how many there were
 * @param perRequest how many for each of the caller's requests, on average
 */
record ServiceArrow(int from, int to, long calls, double perRequest) {
    /** Whether a service calls itself. */
    boolean isOwn() {
        return from == to;
    }

    /** Those of a graph, the most used first. */
    static List<ServiceArrow> of(List<ServiceNode> nodes) {
        Map<String, Integer> places = new HashMap<>();
        nodes.forEach(node -> places.put(node.name(), places.size()));
        List<ServiceArrow> arrows = new ArrayList<>();
        for (int from = 0; from < nodes.size(); from++) {
            ServiceNode caller = nodes.get(from);
            Map<String, Long> calls = new HashMap<>();
            caller.routes()
                    .forEach(route ->
                            route.calls().forEach(call -> calls.merge(call.service(), call.calls(), Long::sum)));
            for (Map.Entry<String, Long> each : calls.entrySet()) {
                Integer to = places.get(each.getKey());
                if (to != null) {
                    double perRequest = each.getValue() / (double) Math.max(1, caller.requests());
                    arrows.add(new ServiceArrow(from, to, each.getValue(), perRequest));
                }
            }
        }
        arrows.sort(Comparator.comparingLong(ServiceArrow::calls)
                .reversed()
                .thenComparing(ServiceArrow::from)
                .thenComparing(ServiceArrow::to));
        return arrows;
    }
}
