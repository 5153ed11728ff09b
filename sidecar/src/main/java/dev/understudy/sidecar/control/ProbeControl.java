package dev.understudy.sidecar.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.JsonBody;
import dev.understudy.relay.control.Reply;
import dev.understudy.sidecar.steer.ProbeOrders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code POST} and {@code DELETE /v1/orders/probes}: arming probes, switching them off and looking into their classes;
 * leaving all to the controller and the search.
 */
public final class ProbeControl {
    private static final Set<String> MEMBERS = Set.of("arm", "disarm", "deepen", "shallow", "reset");

    private final ProbeOrders probes;
    private final OrdersView orders;

    public ProbeControl(ProbeOrders probes, OrdersView orders) {
        this.probes = probes;
        this.orders = orders;
    }

    /**
     * Orders what the body says.
     *
     * @throws IllegalArgumentException if it says something else
     */
    public Reply order(Call call) {
        JsonNode body = JsonBody.object(call.body());
        for (Map.Entry<String, JsonNode> member : body.properties()) {
            if (!MEMBERS.contains(member.getKey())) {
                throw new IllegalArgumentException(
                        member.getKey() + ": unknown (expected: arm, disarm, deepen, shallow, reset)");
            }
        }
        probes.order(new ProbeOrders.Change(
                patterns(body, "arm"),
                patterns(body, "disarm"),
                patterns(body, "deepen"),
                patterns(body, "shallow"),
                patterns(body, "reset")));
        return Reply.json(orders.read());
    }

    /** Forgets all that was ordered of probes. */
    public Reply reset() {
        probes.reset();
        return Reply.json(orders.read());
    }

    private static List<String> patterns(JsonNode body, String name) {
        JsonNode value = body.path(name);
        List<String> patterns = new ArrayList<>();
        for (JsonNode pattern : value) {
            patterns.add(pattern.isTextual() ? pattern.asText() : "");
        }
        if (!value.isMissingNode() && !value.isArray()) {
            throw new IllegalArgumentException(name + ": (expected: a list of patterns)");
        }
        return patterns;
    }
}
