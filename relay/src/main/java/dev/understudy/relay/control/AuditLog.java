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
        order.put("order", Printable.of(method + " " + call.path()));
        order.put("body", call.contentType().startsWith("application/json") ? text(call.body()) : "");
        order.put("status", status);
        LOG.info(
                "order by={} role={} order={} body={} status={}",
                order.get("by"),
                order.get("role"),
                order.get("order"),
                order.get("body"),
                status);
        events.accept(order);
    }

    /** One that was refused, for a message. */
    static String attempt(@Nullable Caller caller, String method, String path) {
        String shown = path.length() > LONGEST ? path.substring(0, LONGEST) : path;
        return Printable.of((caller == null ? "unknown" : caller.name()) + ": " + method + " " + shown);
    }

    private static String text(byte[] body) {
        String text = new String(body, 0, Math.min(body.length, LONGEST), StandardCharsets.UTF_8);
        return Printable.of(body.length > LONGEST ? text + "…" : text);
    }
}
