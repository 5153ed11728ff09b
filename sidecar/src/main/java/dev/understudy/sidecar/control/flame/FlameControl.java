package dev.understudy.sidecar.control.flame;

import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.JsonBody;
import dev.understudy.relay.control.Reply;
import dev.understudy.sidecar.flame.Flame;
import dev.understudy.sidecar.flame.Flames;
import dev.understudy.sidecar.flame.StackBatch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * {@code POST /v1/stacks}: what an agent saw threads do; {@code GET /v1/flame}: that of a span of time by routes, with
 * how long these take.
 */
public final class FlameControl {
    private final Flames flames;
    private final RouteTimes times;
    private final LongSupplier millis;

    /** @param millis {@link System#currentTimeMillis()}, or a test's */
    public FlameControl(Flames flames, RouteTimes times, LongSupplier millis) {
        this.flames = flames;
        this.times = times;
        this.millis = millis;
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

    /**
     * The document; of one listener, debug JVM, route or span of time, if these are given.
     *
     * @throws IllegalArgumentException if a parameter is malformed
     */
    public Map<String, Object> read(Call call) {
        FlameQuery query = FlameQuery.of(call, millis.getAsLong());
        Flame flame = flames.read(query.span());
        RouteTimes.ByRoute measured = times.of(query);
        List<Map<String, Object>> routes = new ArrayList<>();
        for (Flame.Route route : flame.routes()) {
            if (query.fits(route.listener(), route.debug(), route.route())) {
                routes.add(spell(route, measured.of(route.debug(), route.listener(), route.route())));
            }
        }
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("waiting", flame.waiting());
        seen.put("forgotten", flame.forgotten());
        seen.put("names", flame.names());
        seen.put("routes", routes);
        return seen;
    }

    private static Map<String, Object> spell(Flame.Route route, RouteTimes.SideTimes times) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("listener", route.listener());
        seen.put("debug", route.debug());
        seen.put("route", route.route());
        seen.put("samples", route.samples());
        seen.put("left", route.left());
        seen.put("productionMicros", times.production());
        seen.put("debugMicros", times.debug());
        seen.put("nodes", route.nodes());
        return seen;
    }
}
