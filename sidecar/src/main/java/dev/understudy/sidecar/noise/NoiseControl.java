package dev.understudy.sidecar.noise;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.content.Folding;
import dev.understudy.divergence.noise.NoiseRule;
import dev.understudy.divergence.noise.NoiseRules;
import dev.understudy.divergence.noise.ValueClass;
import dev.understudy.relay.control.AnswerThread;
import dev.understudy.relay.control.Body;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.JsonBody;
import dev.understudy.relay.control.Reply;
import dev.understudy.relay.control.Routes;
import dev.understudy.relay.control.access.Access;
import dev.understudy.sidecar.verdict.ExchangeLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * {@code /v1/noise/rules}: which differences mean nothing, as operators say while the sidecar runs; {@code POST
 * /v1/noise/trial}: what a rule would have hidden. Added rules are forgotten with the process.
 */
public final class NoiseControl implements AutoCloseable {
    private static final int WAITING = 4;
    private static final Body RULE = Body.json(16 << 10);
    private static final int LONGEST = 500;
    private static final Set<String> MEMBERS = Set.of("route", "path", "value");
    private static final String VALUES =
            Arrays.stream(ValueClass.values()).map(ValueClass::word).collect(Collectors.joining(", "));

    private final AddedRules rules;
    private final NoiseTrial trial;
    private final AnswerThread thread = new AnswerThread("understudy-noise-trial", WAITING);

    /**
     * Rules of operators, besides those of the settings.
     *
     * @param debugs the rules of each debug JVM, which hold {@code configured}
     * @param kept the exchanges that rules are tried on
     */
    public NoiseControl(List<NoiseRule> configured, List<NoiseRules> debugs, ExchangeLog kept) {
        this.rules = new AddedRules(configured, debugs);
        this.trial = new NoiseTrial(kept, ComparisonRules.defaults().maxDifferences());
    }

    /** Adds its paths to {@code routes}. */
    public Routes addTo(Routes routes) {
        return routes.get("/v1/noise/rules", call -> standing())
                .post(Access.OPERATE, "/v1/noise/rules", RULE, this::add)
                .delete(Access.OPERATE, "/v1/noise/rules/{name}", this::remove)
                .later(Access.READ, "POST", "/v1/noise/trial", RULE, this::tried);
    }

    @Override
    public void close() {
        thread.close();
    }

    private Reply add(Call call) {
        rules.add(rule(call));
        return standing();
    }

    private Reply remove(Call call) {
        String id = call.captured("name");
        return rules.remove(id) ? standing() : Reply.problem(404, "Not found", "no rule with that id was added");
    }

    private CompletableFuture<Reply> tried(Call call) {
        NoiseRule rule = rule(call);
        return thread.answer(() -> Reply.json(trial.run(rules.all(), rule)));
    }

    private Reply standing() {
        List<Map<String, Object>> told = new ArrayList<>();
        rules.added().forEach((id, rule) -> told.add(told(id, rule)));
        return Reply.json(Map.of("rules", told, "configured", rules.configured()));
    }

    private Map<String, Object> told(String id, NoiseRule rule) {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("id", id);
        told.put("route", rule.route());
        told.put("path", rule.path());
        told.put("value", rule.value().word());
        told.put("fired", rules.fired(rule));
        return told;
    }

    private static NoiseRule rule(Call call) {
        JsonNode body = JsonBody.object(call.body());
        for (Map.Entry<String, JsonNode> member : body.properties()) {
            if (!MEMBERS.contains(member.getKey())) {
                throw new IllegalArgumentException(member.getKey() + ": unknown (expected: route, path, value)");
            }
        }
        String asked = body.has("route") ? text(body, "route") : NoiseRule.ALL;
        String route = asked.equals(NoiseRule.ALL) ? asked : whole("route", Folding.route(asked));
        String path = whole("path", Folding.place(text(body, "path")));
        String value = text(body, "value");
        return Arrays.stream(ValueClass.values())
                .filter(one -> one.word().equals(value))
                .findFirst()
                .map(one -> new NoiseRule(route, path, one))
                .orElseThrow(() -> new IllegalArgumentException("value: (expected: one of " + VALUES + ")"));
    }

    /** A name that was cut stands for all that begin alike. */
    private static String whole(String name, String folded) {
        if (folded.endsWith("…")) {
            throw new IllegalArgumentException(name + ": too long (expected: at most 200 characters)");
        }
        return folded;
    }

    private static String text(JsonNode body, String name) {
        String text = body.path(name).isTextual() ? body.path(name).asText() : "";
        if (text.isBlank() || text.length() > LONGEST) {
            throw new IllegalArgumentException(name + ": (expected: a text of at most " + LONGEST + " characters)");
        }
        return text;
    }
}
