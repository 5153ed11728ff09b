package dev.understudy.sidecar.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.relay.control.Body;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.JsonBody;
import dev.understudy.relay.control.Reply;
import dev.understudy.relay.control.Routes;
import dev.understudy.relay.control.access.Access;
import dev.understudy.relay.event.EventFeed;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** {@code POST /v1/alerts}: an alert, or a rule of a session, that belongs to the session's story. */
public final class AlertControl {
    private static final Body ALERT = Body.json(8 << 10);
    private static final List<String> MEMBERS = List.of("rule", "why", "trace");
    private static final int LONGEST = 500;

    private final EventFeed events;
    private final Masking masking;
    private final LongSupplier wallMillis;

    /** @param masking of what an alert says */
    public AlertControl(EventFeed events, Masking masking, LongSupplier wallMillis) {
        this.events = events;
        this.masking = masking;
        this.wallMillis = wallMillis;
    }

    /** Adds its path to {@code routes}. */
    public Routes addTo(Routes routes) {
        return routes.post(Access.TELL, "/v1/alerts", ALERT, this::take);
    }

    private Reply take(Call call) {
        JsonNode body = JsonBody.object(call.body());
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("at", wallMillis.getAsLong());
        for (String member : MEMBERS) {
            event.put(member, text(member, body.path(member)));
        }
        if (body.size() != MEMBERS.size()) {
            throw new IllegalArgumentException("members: " + body.size() + " (expected: " + MEMBERS + ")");
        }
        events.publish("alert", event);
        return Reply.json(event);
    }

    private String text(String member, JsonNode value) {
        if (!value.isTextual() || value.asText().length() > LONGEST) {
            throw new IllegalArgumentException(member + ": (expected: a text of at most " + LONGEST + " characters)");
        }
        return masking.within(value.asText());
    }
}
