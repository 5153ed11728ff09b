package dev.understudy.sidecar.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.Reply;
import dev.understudy.sidecar.tee.Tee;
import dev.understudy.sidecar.tee.TeeMode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code GET}, {@code PUT} and {@code POST /v1/listeners/{name}/tee}: reads and turns one listener's tee switch. */
public final class TeeControl {
    private static final Logger LOG = LoggerFactory.getLogger(TeeControl.class);
    private static final ObjectMapper JSON = new ObjectMapper();

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
     * Turns the switch to the {@code mode} that the body names.
     *
     * @throws IllegalArgumentException if it names none
     */
    public Reply turn(Call call) {
        TeeMode mode = TeeMode.of(mode(call.body(), "{\"mode\": \"on\"}, \"paused\" or \"off\""));
        return answer(call, (watched, tee) -> {
            if (tee.turn(mode)) {
                LOG.info("listener {}: the tee is {}", call.captured("name"), mode.word());
                turned.accept(watched);
            }
        });
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
        return spelled;
    }

    /** What the body says under {@code mode}. */
    static String mode(byte[] body, String expected) {
        try {
            JsonNode mode = JSON.readTree(body).path("mode");
            if (mode.isTextual()) {
                return mode.asText();
            }
        } catch (IOException malformed) {
            // said below
        }
        throw new IllegalArgumentException("body: (expected: " + expected + ")");
    }
}
