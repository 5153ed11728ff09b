package dev.understudy.relay.control;

import dev.understudy.relay.control.access.Caller;
import dev.understudy.relay.log.Printable;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps who gave which order, and what came of it: a line of the logger {@code understudy.audit}, and an event.
 *
 * <p>Confined to the control thread.
 */
final class AuditLog {
    private static final int LONGEST = 512;
    private static final Logger LOG = LoggerFactory.getLogger("understudy.audit");

    private final Consumer<Map<String, Object>> events;

    /** @param events is given each order; runs on the control thread */
    AuditLog(Consumer<Map<String, Object>> events) {
        this.events = events;
    }

    /**
     * An order was answered.
     *
     * @param call its body is kept up to {@value #LONGEST} bytes, if it is JSON
     */
    void record(Caller caller, String method, Call call, int status) {
        Map<String, Object> order = new LinkedHashMap<>();
        order.put("by", caller.name());
        order.put("role", caller.role().word());
        order.put("order", named(method, call.path()));
        order.put("body", call.contentType().startsWith("application/json") ? text(call.body()) : "");
        order.put("status", status);
        LOG.info(
                "order {} by {}, role {}, status {}: {}",
                order.get("order"),
                order.get("by"),
                order.get("role"),
                status,
                order.get("body"));
        events.accept(order);
    }

    /** One that was refused, for a message. */
    static String attempt(@Nullable Caller caller, String method, String path) {
        return (caller == null ? "unknown" : caller.name()) + ": " + named(method, path);
    }

    private static String named(String method, String path) {
        return Printable.of(method + " " + (path.length() > LONGEST ? path.substring(0, LONGEST) + "…" : path));
    }

    private static String text(byte[] body) {
        String text = new String(body, 0, Math.min(body.length, LONGEST), StandardCharsets.UTF_8);
        return Printable.of(body.length > LONGEST ? text + "…" : text);
    }
}
