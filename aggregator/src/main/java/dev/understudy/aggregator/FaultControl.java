package dev.understudy.aggregator;

import dev.understudy.aggregator.config.FaultSettings;
import dev.understudy.aggregator.fault.Fault;
import dev.understudy.aggregator.fault.FaultRule;
import dev.understudy.aggregator.fault.Faults;
import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.control.Body;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.Reply;
import dev.understudy.relay.control.Routes;
import dev.understudy.relay.control.access.Access;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Tells of the faults that are set, sets and clears them. Runs on the control thread. */
final class FaultControl {
    /** Read as YAML it takes some hundred times as much. */
    private static final int MOST_BYTES = 64 << 10;

    private static final Body FAULTS = Body.of(MOST_BYTES, "application/json", "application/yaml");

    private final Faults faults;
    private final FaultSettings settings;

    FaultControl(Faults faults, FaultSettings settings) {
        this.faults = faults;
        this.settings = settings;
    }

    Routes addTo(Routes routes) {
        return routes.get("/v1/faults", call -> standing())
                .put(Access.OPERATE, "/v1/faults", FAULTS, this::replace)
                .delete(Access.OPERATE, "/v1/faults", this::clear)
                .put(Access.OPERATE, "/v1/faults/{name}", FAULTS, this::set)
                .delete(Access.OPERATE, "/v1/faults/{name}", this::clearOne);
    }

    private Reply replace(Call call) {
        faults.replace(read(() -> settings.list("body", text(call))));
        return standing();
    }

    private Reply clear(Call call) {
        faults.replace(List.of());
        return standing();
    }

    private Reply set(Call call) {
        faults.set(read(() -> settings.rule(call.captured("name"), "body", text(call))));
        return standing();
    }

    private Reply clearOne(Call call) {
        String name = call.captured("name");
        return faults.clear(name) ? standing() : Reply.problem(404, "Not found", "no fault is called " + name);
    }

    private Reply standing() {
        return Reply.json(Map.of(
                "faults", faults.standing().stream().map(FaultControl::told).toList()));
    }

    /** YAML allows no tabs where JSON does; in a string JSON doesn't either. */
    private static String text(Call call) {
        return new String(call.body(), StandardCharsets.UTF_8).replace('\t', ' ');
    }

    private static <T> T read(Supplier<T> reader) {
        try {
            return reader.get();
        } catch (ConfigException wrong) {
            throw new IllegalArgumentException(String.join("; ", wrong.problems()), wrong);
        }
    }

    private static Map<String, Object> told(Faults.Standing standing) {
        FaultRule rule = standing.rule();
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("name", rule.name());
        told.put("upstream", rule.upstream());
        told.put("fault", rule.fault().kind().word());
        if (rule.fault() instanceof Fault.Latency latency) {
            told.put("delay", text(latency.delay()));
            told.put("jitter", text(latency.jitter()));
        } else if (rule.fault() instanceof Fault.Bandwidth bandwidth) {
            told.put("rate", bandwidth.bytesPerSecond());
        } else if (rule.fault() instanceof Fault.ErrorReply error) {
            told.put("code", error.code());
            told.put("message", error.message());
        } else if (rule.fault() instanceof Fault.SlowClose slow) {
            told.put("delay", text(slow.delay()));
        }
        if (rule.form() != null) {
            told.put("form", rule.form().toString());
        }
        told.put("percent", rule.percent());
        told.put("seed", rule.seed());
        told.put("at", text(rule.at()));
        if (rule.lasts() != null) {
            told.put("for", text(rule.lasts()));
        }
        told.put("phase", standing.phase().name());
        told.put("matched", standing.matched());
        told.put("applied", standing.applied());
        return told;
    }

    private static String text(Duration time) {
        return time.toMillis() % 1_000 == 0 ? time.toSeconds() + "s" : time.toMillis() + "ms";
    }
}
