package dev.understudy.sidecar.control;

import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.JsonBody;
import dev.understudy.relay.control.Reply;
import dev.understudy.sidecar.finding.Findings;
import dev.understudy.sidecar.finding.RouteSnapshot;
import dev.understudy.sidecar.flame.Flame;
import dev.understudy.sidecar.flame.Flames;
import dev.understudy.sidecar.flame.StackBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code POST /v1/stacks}: what an agent saw threads do; {@code GET /v1/flame}: all of that by routes, with how long
 * these take.
 */
public final class FlameControl {
    private final Flames flames;
    private final Map<String, Findings> findings;

    /** @param findings those of each debug JVM */
    public FlameControl(Flames flames, Map<String, Findings> findings) {
        this.flames = flames;
        this.findings = findings;
    }

    /**
     * Takes stacks.
     *
     * @throws IllegalArgumentException if they can't be read
     */
    public Reply post(Call call) {
        StackBatch batch = StackBatch.read(JsonBody.objectOfNumbers(call.body()));
        flames.sampled(batch);
        return Reply.json(Map.of("taken", batch.stacks().size()));
    }

    /** The document; of one listener, or one route, if these are given. */
    public Map<String, Object> read(Call call) {
        String listener = call.parameter("listener", "");
        String wanted = call.parameter("route", "");
        Flame flame = flames.read();
        Map<String, Map<String, RouteSnapshot.Route>> times = new HashMap<>();
        List<Map<String, Object>> routes = new ArrayList<>();
        for (Flame.Route route : flame.routes()) {
            if ((listener.isEmpty() || listener.equals(route.listener()))
                    && (wanted.isEmpty() || wanted.equals(route.route()))) {
                RouteSnapshot.Route timed = times.computeIfAbsent(
                                route.debug() + '\n' + route.listener(), unseen -> times(route))
                        .get(route.route());
                routes.add(spell(
                        route,
                        timed == null ? Map.of() : timed.production(),
                        timed == null ? Map.of() : timed.debug()));
            }
        }
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("waiting", flame.waiting());
        seen.put("names", flame.names());
        seen.put("routes", routes);
        return seen;
    }

    private Map<String, RouteSnapshot.Route> times(Flame.Route of) {
        Findings found = findings.get(of.debug());
        Map<String, RouteSnapshot.Route> times = new HashMap<>();
        if (found != null) {
            found.of(of.listener()).routes().forEach(route -> times.put(route.route(), route));
        }
        return times;
    }

    private static Map<String, Object> spell(Flame.Route route, Map<Long, Long> production, Map<Long, Long> debug) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("listener", route.listener());
        seen.put("debug", route.debug());
        seen.put("route", route.route());
        seen.put("samples", route.samples());
        seen.put("left", route.left());
        seen.put("productionMicros", production);
        seen.put("debugMicros", debug);
        seen.put("nodes", route.nodes());
        return seen;
    }
}
