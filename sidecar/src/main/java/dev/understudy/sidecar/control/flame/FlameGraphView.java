package dev.understudy.sidecar.control.flame;

import dev.understudy.relay.control.Call;
import dev.understudy.sidecar.flame.Allocated;
import dev.understudy.sidecar.flame.AllocationProfile;
import dev.understudy.sidecar.flame.Flame;
import dev.understudy.sidecar.flame.Flames;
import dev.understudy.sidecar.report.flame.FlameBoxes;
import dev.understudy.sidecar.report.flame.FlameTimes;
import dev.understudy.sidecar.report.flame.RouteProfile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * {@code GET /v1/flame/graph}: a flame graph of wall time or allocations as boxes, of any route and span of time.
 *
 * <p>At most as many boxes as {@link FlameBoxes} places. Confined to the control thread.
 */
public final class FlameGraphView {
    /** A box may be looked at alone, which makes it as wide as all. */
    private static final double NARROWEST = 0.0005;

    private static final int HOTTEST = 10;
    private static final long WHOLE = 1_000_000;

    private final Flames flames;
    private final AllocationProfile allocations;
    private final RouteTimes times;
    private final LongSupplier millis;

    /** @param millis {@link System#currentTimeMillis()}, or a test's */
    public FlameGraphView(Flames flames, AllocationProfile allocations, RouteTimes times, LongSupplier millis) {
        this.flames = flames;
        this.allocations = allocations;
        this.times = times;
        this.millis = millis;
    }

    /** What a span has: all routes, when samples begin to be known one by one, and stacks that wait. */
    private record Sampled(List<RouteProfile> routes, long forgotten, int waiting) {}

    /**
     * The document.
     *
     * @throws IllegalArgumentException if a parameter is malformed
     */
    public Map<String, Object> read(Call call) {
        long now = millis.getAsLong();
        FlameQuery query = FlameQuery.of(call, now);
        String of = call.parameter("of", "wall");
        Sampled sampled = switch (of) {
            case "wall" -> stacks(query);
            case "allocation" -> allocations(query);
            default -> throw new IllegalArgumentException("of: " + of + " (expected: wall or allocation)");
        };
        List<RouteProfile> wanted = sampled.routes.stream()
                .filter(route -> query.fits(route.listener(), route.debug(), route.route()))
                .toList();
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("at", now);
        seen.put("forgotten", sampled.forgotten);
        seen.put("waiting", sampled.waiting);
        seen.put("routes", sampled.routes.stream().map(FlameGraphView::spell).toList());
        drawn(RouteProfile.together(wanted)).forEach(seen::put);
        return seen;
    }

    private Sampled stacks(FlameQuery query) {
        Flame flame = flames.read(query.span());
        RouteTimes.ByRoute measured = times.of(query);
        List<RouteProfile> routes = new ArrayList<>();
        for (Flame.Route route : flame.routes()) {
            RouteTimes.SideTimes sides = measured.of(route.debug(), route.listener(), route.route());
            routes.add(new RouteProfile(
                    route.listener(),
                    route.debug(),
                    route.route(),
                    route.samples(),
                    route.left(),
                    FlameTimes.ofMicros(sides.production()),
                    FlameTimes.ofMicros(sides.debug()),
                    RouteProfile.nodes(route.nodes(), flame.names()),
                    ""));
        }
        return new Sampled(routes, flame.forgotten(), flame.waiting());
    }

    private Sampled allocations(FlameQuery query) {
        Allocated all = allocations.read(query.span());
        List<RouteProfile> routes = new ArrayList<>();
        int waiting = 0;
        for (Allocated.Agent agent : all.agents()) {
            waiting += agent.waiting();
            for (Allocated.Route route : agent.routes()) {
                routes.add(new RouteProfile(
                        route.listener(),
                        route.debug(),
                        route.listener().isEmpty() ? route.route() + " of " + agent.name() : route.route(),
                        route.bytes(),
                        route.left(),
                        FlameTimes.NONE,
                        FlameTimes.NONE,
                        RouteProfile.nodes(route.nodes(), all.names()),
                        RouteProfile.ofBytes(route.samples(), route.bytes(), agent.bytes())));
            }
        }
        return new Sampled(routes, all.forgotten(), waiting);
    }

    private static Map<String, Object> spell(RouteProfile route) {
        return Map.of(
                "listener", route.listener(),
                "debug", route.debug(),
                "route", route.route(),
                "weight", route.samples());
    }

    private static Map<String, Object> drawn(RouteProfile route) {
        FlameBoxes.Drawn drawn = FlameBoxes.of(route, NARROWEST);
        Map<String, Integer> names = new LinkedHashMap<>();
        List<long[]> boxes = new ArrayList<>();
        for (FlameBoxes.Box box : drawn.boxes()) {
            int name = names.computeIfAbsent(box.name(), unseen -> names.size());
            boxes.add(new long[] {
                name, Math.round(box.left() * WHOLE), Math.round(box.width() * WHOLE), box.depth(), box.count()
            });
        }
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("total", route.samples());
        seen.put("left", route.left());
        seen.put("narrow", drawn.narrow());
        seen.put("names", names.keySet());
        seen.put("boxes", boxes);
        seen.put("hottest", route.hottest(HOTTEST));
        seen.put("production", route.production());
        seen.put("copy", route.debugTimes());
        return seen;
    }
}
