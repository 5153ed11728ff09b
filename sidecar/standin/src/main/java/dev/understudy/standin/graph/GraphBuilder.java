package dev.understudy.standin.graph;

import dev.understudy.standin.graph.MadeCall.Target;
import dev.understudy.standin.trace.NodeKind;
import dev.understudy.standin.trace.TraceStore;
import dev.understudy.standin.trace.TracedSpan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes a graph of traces. Confined to one thread. */
public final class GraphBuilder {
    private final NodeNames names = new NodeNames();
    private final Map<String, Map<String, RouteSums>> services = new TreeMap<>();
    private final long least;
    private long spans;
    private long orphans;
    private long rings;
    private long rare;

    private GraphBuilder(long least) {
        this.least = least;
    }

    /**
     * The graph of all that was read.
     *
     * @param least how many requests a route needs to be in it
     */
    public static ServiceGraph of(TraceStore store, long least) {
        GraphBuilder builder = new GraphBuilder(least);
        store.traces().forEach(builder::add);
        List<ServiceNode> nodes = builder.nodes();
        List<String> notes = new ArrayList<>(store.notes());
        notes.addAll(builder.notes());
        return new ServiceGraph(store.traces().size(), builder.spans, nodes, notes);
    }

    private void add(List<TracedSpan> trace) {
        TraceTree tree = new TraceTree(trace);
        int walked = 0;
        for (int place = 0; place < tree.size(); place++) {
            if (tree.isRequest(place)) {
                CallWalk walk = CallWalk.from(place, tree, names);
                walked += walk.walked();
                TracedSpan request = tree.span(place);
                sums(request).add(request, walk.calls());
            }
        }
        spans += tree.size();
        orphans += tree.orphans();
        rings += tree.size() - walked;
    }

    private RouteSums sums(TracedSpan request) {
        Target name = names.of(request.service(), request.route());
        return services.computeIfAbsent(name.service(), first -> new HashMap<>())
                .computeIfAbsent(name.route(), first -> new RouteSums());
    }

    private List<ServiceNode> nodes() {
        services.values().forEach(routes -> routes.values().removeIf(this::isRare));
        Map<String, NodeKind> kinds = kinds();
        return kinds.entrySet().stream()
                .map(each -> node(each.getKey(), each.getValue(), kinds))
                .toList();
    }

    private boolean isRare(RouteSums route) {
        boolean isRare = route.requests() < least;
        rare += isRare ? 1 : 0;
        return isRare;
    }

    /** What has requests in the traces is a service, whatever its callers take it for. */
    private Map<String, NodeKind> kinds() {
        Map<String, NodeKind> kinds = new TreeMap<>();
        services.values()
                .forEach(routes -> routes.values()
                        .forEach(route -> route.targets()
                                .forEach((target, sums) ->
                                        kinds.merge(target.service(), sums.kind(), GraphBuilder::better))));
        services.forEach((service, routes) -> {
            if (!routes.isEmpty() || kinds.containsKey(service)) {
                kinds.put(service, NodeKind.SERVICE);
            }
        });
        return kinds;
    }

    private static NodeKind better(NodeKind one, NodeKind other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private ServiceNode node(String name, NodeKind kind, Map<String, NodeKind> kinds) {
        List<ServiceRoute> routes = services.getOrDefault(name, Map.of()).entrySet().stream()
                .map(each ->
                        each.getValue().result(each.getKey(), service -> kinds.getOrDefault(service, NodeKind.PEER)))
                .sorted(Comparator.comparingLong(ServiceRoute::requests)
                        .reversed()
                        .thenComparing(ServiceRoute::route))
                .toList();
        return new ServiceNode(name, kind, routes);
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>(names.notes());
        if (rare > 0) {
            notes.add(rare + " routes are left out (fewer than " + least + " requests)");
        }
        if (orphans > 0) {
            notes.add(orphans + " spans name parents that aren't in their traces; they count as requests of their own");
        }
        if (rings > 0) {
            notes.add(rings + " spans are left out, since their parents form a ring");
        }
        return notes;
    }
}
