package dev.understudy.sidecar.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.Reply;
import dev.understudy.relay.json.ForeignJson;
import dev.understudy.sidecar.config.SampleSection;
import dev.understudy.sidecar.tee.Sampling;
import dev.understudy.sidecar.tee.SnapshotMoment;
import dev.understudy.sidecar.tee.Tee;
import dev.understudy.sidecar.tee.TeeMode;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code GET}, {@code PUT} and {@code POST /v1/listeners/{name}/tee}: reads and turns one listener's tee switch, and
 * what it samples.
 */
public final class TeeControl {
    private static final Logger LOG = LoggerFactory.getLogger(TeeControl.class);
    private static final ObjectMapper JSON = ForeignJson.mapper();

    private final List<Watched> listeners;
    private final Consumer<Watched> turned;

    /** @param turned is told whose switch was turned */
    public TeeControl(List<Watched> listeners, Consumer<Watched> turned) {
        this.listeners = List.copyOf(listeners);
        this.turned = turned;
    }

    /** What the switch stands at. */
    public Reply read(Call call) {
        return answer(call, (watched, tee) -> {});
    }

    /**
     * Turns the switch to the {@code mode} that the body names, and has it sample as {@code sample} there says. With
     * {@code snapshot} it is paused until the moment of a snapshot is known, or begins behind that moment.
     *
     * @throws IllegalArgumentException if it names neither, or something wrong
     */
    public Reply turn(Call call) {
        JsonNode body = body(call.body());
        JsonNode sample = body.path("sample");
        if (!body.path("mode").isTextual() && !sample.isObject()) {
            throw wrong("{\"mode\": \"on\"}, \"paused\" or \"off\"; {\"sample\": {…}}; or both");
        }
        TeeMode mode = body.has("mode") ? TeeMode.of(body.path("mode").asText()) : null;
        Predicate<Tee> turn = turn(mode, body.path("snapshot"));
        return answer(call, (watched, tee) -> {
            boolean sampled =
                    sample.isObject() && tee.sample(SampleSection.read(sample.toString(), watched.protocol()));
            if (sampled) {
                LOG.info("listener {}: the tee samples {}", watched.name(), sample);
            }
            boolean switched = turn.test(tee);
            if (switched) {
                LOG.info(
                        "listener {}: the tee is {}", watched.name(), tee.mode().word());
            }
            watched.operator().tee(mode, tee.awaitsSnapshot(), sample.isObject() ? tee.sampling() : null);
            if (sampled || switched) {
                turned.accept(watched);
            }
        });
    }

    private static Predicate<Tee> turn(@Nullable TeeMode mode, JsonNode snapshot) {
        if (mode == TeeMode.PAUSED && snapshot.asText().equals("awaited")) {
            return Tee::awaitSnapshot;
        }
        JsonNode running = snapshot.path("running");
        JsonNode answered = snapshot.path("answered");
        if (mode == TeeMode.ON && running.isIntegralNumber() && answered.isIntegralNumber()) {
            return tee -> tee.begin(new SnapshotMoment(running.asLong(), answered.asLong()));
        }
        if (!snapshot.isMissingNode()) {
            throw wrong("\"snapshot\": \"awaited\" with \"mode\": \"paused\";"
                    + " {\"running\": nanoseconds, \"answered\": nanoseconds} with \"on\"");
        }
        return tee -> mode != null && tee.turn(mode);
    }

    private Reply answer(Call call, BiConsumer<Watched, Tee> first) {
        Watched watched = Watched.find(listeners, call.captured("name"));
        if (watched == null) {
            return Watched.unknown(call);
        }
        Tee tee = watched.tee();
        if (tee == null) {
            return Reply.problem(409, "No debug JVM", "listener " + watched.name() + " only relays");
        }
        first.accept(watched, tee);
        return Reply.json(spell(watched.name(), tee));
    }

    private static Map<String, Object> spell(String name, Tee tee) {
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("listener", name);
        spelled.put("mode", tee.mode().word());
        spelled.put("sample", spell(tee.sampling()));
        return spelled;
    }

    /** As the settings say it. */
    static Map<String, Object> spell(Sampling sampling) {
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("connections", percent(sampling.connections()));
        spelled.put("requests", percent(sampling.requests()));
        spelled.put("header", sampling.header() == null ? "" : sampling.header());
        spelled.put("paths", sampling.paths());
        spelled.put("keys", sampling.keys());
        return spelled;
    }

    private static String percent(double share) {
        BigDecimal percent = BigDecimal.valueOf(share * 100).setScale(6, RoundingMode.HALF_UP);
        return percent.stripTrailingZeros().toPlainString() + "%";
    }

    /** What the body says under {@code mode}. */
    static String mode(byte[] body, String expected) {
        JsonNode mode = body(body).path("mode");
        if (mode.isTextual()) {
            return mode.asText();
        }
        throw wrong(expected);
    }

    /** Nothing at all if it is no JSON. */
    static JsonNode body(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (IOException malformed) {
            return MissingNode.getInstance();
        }
    }

    private static IllegalArgumentException wrong(String expected) {
        return new IllegalArgumentException("body: (expected: " + expected + ")");
    }
}
