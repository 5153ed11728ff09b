package dev.understudy.session.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.json.ForeignJson;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Reads what an alerting system posts: Alertmanager's webhook format (version 4), which Grafana's contact points use,
 * too, and that of Grafana's older alerts. Never throws but for what is no such message. Stateless.
 */
final class AlertMessage {
    /** Alerts of one message that are looked at. */
    static final int MOST = 1_000;

    private static final int LONGEST = 200;
    private static final ObjectMapper JSON = ForeignJson.mapper();

    private AlertMessage() {}

    /**
     * The names of alerts that fire; what is resolved is left out.
     *
     * @throws IllegalArgumentException if it is no such message; the text says what is expected
     */
    static Set<String> firing(byte[] body) {
        JsonNode message = read(body);
        JsonNode alerts = message.path("alerts");
        Set<String> names = new LinkedHashSet<>();
        if (alerts.isArray()) {
            String status = message.path("status").asText("firing");
            int looked = 0;
            for (JsonNode alert : alerts) {
                if (looked++ == MOST) {
                    break;
                }
                if (alert.path("status").asText(status).equals("firing")) {
                    add(names, alert.path("labels").path("alertname").asText(""));
                }
            }
            return names;
        }
        if (message.path("ruleName").isTextual() && message.path("state").isTextual()) {
            if (message.path("state").asText().equals("alerting")) {
                add(names, message.path("ruleName").asText());
            }
            return names;
        }
        throw new IllegalArgumentException(
                "body: (expected: a webhook message of Alertmanager or Grafana, with \"alerts\" or \"ruleName\")");
    }

    private static JsonNode read(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (IOException malformed) {
            throw new IllegalArgumentException("body: no JSON, or too much of it", malformed);
        }
    }

    private static void add(Set<String> names, String name) {
        if (!name.isEmpty()) {
            names.add(name.length() <= LONGEST ? name : name.substring(0, LONGEST));
        }
    }
}
