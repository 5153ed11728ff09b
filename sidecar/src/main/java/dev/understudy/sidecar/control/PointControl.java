package dev.understudy.sidecar.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.JsonBody;
import dev.understudy.relay.control.Reply;
import dev.understudy.sidecar.steer.HitStore;
import dev.understudy.sidecar.steer.PointOrders;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code /v1/orders/points}: log points and snapshots in debug JVMs; {@code /v1/hits}: what they told. */
public final class PointControl {
    private static final Set<String> MEMBERS = Set.of("method", "at", "snapshot", "message", "when", "rate", "quota");
    private static final int DEFAULT_LIMIT = 100;
    private static final int MOST = 2000;

    private final PointOrders points;
    private final HitStore hits = new HitStore();
    private final OrdersView orders;

    public PointControl(PointOrders points, OrdersView orders) {
        this.points = points;
        this.orders = orders;
    }

    /** The points, and how each fares. */
    public Map<String, Object> list() {
        List<HitStore.Fare> fares = hits.fares();
        List<Map<String, Object>> all = new ArrayList<>();
        for (PointOrders.Point point : points.points()) {
            Map<String, Object> seen = spell(point);
            seen.put(
                    "agents",
                    fares.stream()
                            .filter(fare -> fare.point().equals(point.id()))
                            .map(PointControl::spell)
                            .toList());
            all.add(seen);
        }
        return Map.of("points", all);
    }

    private static Map<String, Object> spell(PointOrders.Point point) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("id", point.id());
        seen.put("method", point.method());
        seen.put("at", point.at());
        seen.put("snapshot", point.snapshot());
        seen.put("message", point.message());
        seen.put("when", point.when());
        seen.put("rate", point.rate());
        seen.put("quota", point.quota());
        return seen;
    }

    private static Map<String, Object> spell(HitStore.Fare fare) {
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("name", fare.agent());
        seen.put("passed", fare.passed());
        seen.put("told", fare.told());
        seen.put("limited", fare.limited());
        seen.put("undecided", fare.undecided());
        seen.put("skipped", fare.skipped());
        seen.put("left", fare.left());
        seen.put("dropped", fare.dropped());
        seen.put("why", fare.why());
        return seen;
    }

    /**
     * Adds the one in the body.
     *
     * @throws IllegalArgumentException if it is none
     */
    public Reply add(Call call) {
        JsonNode body = JsonBody.object(call.body());
        for (Map.Entry<String, JsonNode> member : body.properties()) {
            if (!MEMBERS.contains(member.getKey())) {
                throw new IllegalArgumentException(
                        member.getKey() + ": unknown (expected: method, at, snapshot, message, when, rate, quota)");
            }
        }
        PointOrders.Point point = points.add(
                body.path("method").asText(),
                body.path("at").asText("exit"),
                body.path("snapshot").asBoolean(),
                body.path("message").asText(),
                body.path("when").asText(),
                body.path("rate").asDouble(10),
                body.path("quota").asInt(1000));
        Map<String, Object> seen = orders.read();
        seen.put("added", point.id());
        return Reply.json(seen);
    }

    /** Takes one back. */
    public Reply remove(Call call) {
        String id = call.captured("name");
        return points.remove(id)
                ? Reply.json(orders.read())
                : Reply.problem(404, "No such point", id + " isn't there (any more)");
    }

    /** Takes what an agent was told. */
    public Reply post(Call call) {
        return Reply.json(Map.of("taken", hits.take(JsonBody.object(call.body()))));
    }

    /**
     * What was told, the newest of it, the oldest first.
     *
     * @throws IllegalArgumentException if a number is out of range
     */
    public Map<String, Object> read(Call call) {
        int after = call.number("after", 0, 0, Integer.MAX_VALUE);
        List<HitStore.Hit> newest =
                hits.newest(call.parameter("point", ""), after, call.number("limit", DEFAULT_LIMIT, 1, MOST));
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("last", hits.last());
        seen.put("hits", newest);
        return seen;
    }
}
