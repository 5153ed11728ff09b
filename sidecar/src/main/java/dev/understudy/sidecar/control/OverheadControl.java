package dev.understudy.sidecar.control;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.JsonBody;
import dev.understudy.relay.control.Reply;
import dev.understudy.sidecar.finding.Overheads;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** {@code POST /v1/overheads}: what an agent took of exchanges' time. */
public final class OverheadControl {
    private static final int MOST_EXCHANGES = 10_000;
    private static final int SPAN = 16;

    private final List<Overheads> jvms;

    /** @param jvms of each debug JVM: which one an agent is of, the spans tell */
    public OverheadControl(Collection<Overheads> jvms) {
        this.jvms = List.copyOf(jvms);
    }

    /**
     * Takes them.
     *
     * @throws IllegalArgumentException if they can't be read
     */
    public Reply post(Call call) {
        JsonNode exchanges = JsonBody.object(call.body()).path("exchanges");
        if (!exchanges.isArray() || exchanges.size() > MOST_EXCHANGES) {
            throw new IllegalArgumentException("exchanges: " + (exchanges.isArray() ? exchanges.size() : "none")
                    + " (expected: at most " + MOST_EXCHANGES + ")");
        }
        for (JsonNode exchange : exchanges) {
            if (exchange.path("span").asText().length() != SPAN
                    || exchange.path("nanos").asLong(-1) < 0) {
                throw new IllegalArgumentException(
                        "exchanges: one without span or nanos (expected: {\"span\": 16 digits, \"nanos\": >= 0})");
            }
        }
        for (JsonNode exchange : exchanges) {
            jvms.forEach(jvm -> jvm.measured(
                    exchange.path("span").asText(), exchange.path("nanos").asLong()));
        }
        return Reply.json(Map.of("taken", exchanges.size()));
    }
}
