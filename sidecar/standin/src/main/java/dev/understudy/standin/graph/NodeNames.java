package dev.understudy.standin.graph;

import dev.understudy.standin.graph.MadeCall.Target;
import dev.understudy.standin.trace.TraceStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Bounds the names of a graph: those that come later share one. Confined to one thread. */
final class NodeNames {
    static final int MOST_SERVICES = 1_000;
    static final int MOST_ROUTES = 200;

    private final Map<String, Map<String, Target>> known = new HashMap<>();
    private final Set<String> services = new HashSet<>();
    private final Set<Target> routes = new HashSet<>();

    /** The name under which a route of a service or peer is in the graph. */
    Target of(String service, String route) {
        Map<String, Target> ofService = known.get(service);
        if (ofService == null && known.size() >= MOST_SERVICES) {
            services.add(service);
            return new Target(TraceStore.OTHER_SERVICES, TraceStore.OTHER_ROUTES);
        }
        if (ofService == null) {
            ofService = new HashMap<>();
            known.put(service, ofService);
        }
        Target target = ofService.get(route);
        if (target == null && ofService.size() >= MOST_ROUTES) {
            routes.add(new Target(service, route));
            return new Target(service, TraceStore.OTHER_ROUTES);
        }
        if (target == null) {
            target = new Target(service, route);
            ofService.put(route, target);
        }
        return target;
    }

    /** What has no name of its own, in sentences. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (!services.isEmpty()) {
            notes.add(services.size() + " services or peers are together in " + TraceStore.OTHER_SERVICES + " (at most "
                    + MOST_SERVICES + " are named)");
        }
        if (!routes.isEmpty()) {
            notes.add(routes.size() + " routes are together in " + TraceStore.OTHER_ROUTES
                    + " of their services (at most " + MOST_ROUTES + " of each are named)");
        }
        return notes;
    }
}
