package dev.understudy.session.trigger;

import dev.understudy.relay.control.Body;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.ControlConfig;
import dev.understudy.relay.control.ControlServer;
import dev.understudy.relay.control.Reply;
import dev.understudy.relay.control.Routes;
import dev.understudy.relay.control.access.Access;
import dev.understudy.relay.control.access.AccessConfig;
import dev.understudy.session.trigger.RuleCondition.AlertName;
import dev.understudy.session.trigger.WatchRules.AlertSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The port where alerts arrive ({@code POST /v1/alerts}), and where rules are shown and fired by hand. Callers are held
 * to the limits of every control port. Safe for use by several threads.
 */
public final class AlertPort implements AutoCloseable {
    private static final int LARGEST = 256 << 10;

    private final ControlServer server;

    private AlertPort(ControlServer server) {
        this.server = server;
    }

    /**
     * Starts to listen.
     *
     * @throws IOException if the address can't be had; the message names it
     */
    public static AlertPort open(AlertSettings settings, RuleBook book) throws IOException {
        Routes routes = new Routes()
                .post(Access.OPERATE, "/v1/alerts", Body.json(LARGEST), call -> alert(call, book))
                .get(Access.READ, "/v1/rules", call -> Reply.json(book.document()))
                .post(Access.OPERATE, "/v1/rules/{name}/fire", call -> fire(call, book));
        return new AlertPort(
                ControlServer.open(new ControlConfig(settings.listen(), AccessConfig.of(settings.token())), routes));
    }

    private static Reply alert(Call call, RuleBook book) {
        Set<String> firing = AlertMessage.firing(call.body());
        Map<String, String> outcomes = new LinkedHashMap<>();
        for (TriggerRule rule : book.rules()) {
            if (rule.condition() instanceof AlertName wanted) {
                firing.stream()
                        .filter(name ->
                                wanted.name().equals("*") || wanted.name().equals(name))
                        .findFirst()
                        .ifPresent(name -> outcomes.put(rule.name(), said(book.fire(rule, "alert " + name))));
            }
        }
        return Reply.json(Map.of("rules", outcomes));
    }

    private static Reply fire(Call call, RuleBook book) {
        String name = call.captured("name");
        for (TriggerRule rule : book.rules()) {
            if (rule.name().equals(name)) {
                return Reply.json(Map.of("rules", Map.of(name, said(book.fire(rule, "by hand")))));
            }
        }
        return Reply.problem(404, "Not found", "rule " + name + " (see /v1/rules)");
    }

    private static String said(String obstacle) {
        return obstacle.isEmpty() ? "fired" : obstacle;
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return server.address();
    }

    @Override
    public void close() {
        server.close();
    }
}
