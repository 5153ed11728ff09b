package dev.understudy.sidecar.control.flame;

import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.JsonBody;
import dev.understudy.relay.control.Reply;
import dev.understudy.sidecar.flame.Allocated;
import dev.understudy.sidecar.flame.AllocationBatch;
import dev.understudy.sidecar.flame.AllocationProfile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * {@code POST /v1/allocations}: what a debug JVM has sampled of its allocations; {@code GET}: that of a span of time by
 * agents and routes.
 */
public final class AllocationControl {
    private final AllocationProfile allocations;
    private final LongSupplier millis;

    /**
     * Those of all debug JVMs.
     *
     * @param millis {@link System#currentTimeMillis()}, or a test's
     */
    public AllocationControl(AllocationProfile allocations, LongSupplier millis) {
        this.allocations = allocations;
        this.millis = millis;
    }

    /**
     * Takes samples.
     *
     * @throws IllegalArgumentException if they can't be read
     */
    public Reply post(Call call) {
        AllocationBatch batch = AllocationBatch.read(JsonBody.objectOfNumbers(call.body()));
        allocations.sampled(batch);
        return Reply.json(Map.of("taken", batch.stacks().size()));
    }

    /**
     * The document; of one listener, debug JVM, route or span of time, if these are given.
     *
     * @throws IllegalArgumentException if a parameter is malformed
     */
    public Map<String, Object> read(Call call) {
        FlameQuery query = FlameQuery.of(call, millis.getAsLong());
        Allocated all = allocations.read(query.span());
        List<Map<String, Object>> agents = new ArrayList<>();
        for (Allocated.Agent agent : all.agents()) {
            Map<String, Object> seen = new LinkedHashMap<>();
            seen.put("name", agent.name());
            seen.put("perSecond", agent.perSecond());
            seen.put("samples", agent.samples());
            seen.put("bytes", agent.bytes());
            seen.put("left", agent.left());
            seen.put("allocated", agent.allocated() < 0 ? null : agent.allocated());
            seen.put("waiting", agent.waiting());
            seen.put(
                    "routes",
                    agent.routes().stream()
                            .filter(route -> query.fits(route.listener(), route.debug(), route.route()))
                            .map(AllocationControl::spell)
                            .toList());
            agents.add(seen);
        }
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("forgotten", all.forgotten());
        seen.put("names", all.names());
        seen.put("agents", agents);
        return seen;
    }

    private static Map<String, Object> spell(Allocated.Route route) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("listener", route.listener());
        seen.put("debug", route.debug());
        seen.put("route", route.route());
        seen.put("samples", route.samples());
        seen.put("bytes", route.bytes());
        seen.put("left", route.left());
        seen.put("nodes", route.nodes());
        return seen;
    }
}
