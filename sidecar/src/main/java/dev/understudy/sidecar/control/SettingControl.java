package dev.understudy.sidecar.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.JsonBody;
import dev.understudy.relay.control.Reply;
import dev.understudy.sidecar.steer.SettingOrders;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code POST} and {@code DELETE /v1/orders/settings}: changing agents' settings while their JVMs run; taking all of
 * that back.
 */
public final class SettingControl {
    private static final Set<String> MEMBERS = Set.of("set", "reset");

    private final SettingOrders settings;
    private final OrdersView orders;

    public SettingControl(SettingOrders settings, OrdersView orders) {
        this.settings = settings;
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
                throw new IllegalArgumentException(member.getKey() + ": unknown (expected: set, reset)");
            }
        }
        settings.order(values(body.path("set")), names(body.path("reset")));
        return Reply.json(orders.read());
    }

    /** Takes all back. */
    public Reply reset() {
        settings.reset();
        return Reply.json(orders.read());
    }

    private static Map<String, String> values(JsonNode set) {
        if (!set.isMissingNode() && !set.isObject()) {
            throw new IllegalArgumentException("set: (expected: an object of names and values)");
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> one : set.properties()) {
            if (!one.getValue().isValueNode() || one.getValue().isNull()) {
                throw new IllegalArgumentException(one.getKey() + ": (expected: a text or a number)");
            }
            values.put(one.getKey(), one.getValue().asText());
        }
        return values;
    }

    private static List<String> names(JsonNode reset) {
        if (!reset.isMissingNode() && !reset.isArray()) {
            throw new IllegalArgumentException("reset: (expected: a list of names)");
        }
        List<String> names = new ArrayList<>();
        reset.forEach(name -> names.add(name.asText()));
        return names;
    }
}
