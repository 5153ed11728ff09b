package dev.understudy.aggregator;

import dev.understudy.aggregator.journal.JournalItem;
import dev.understudy.aggregator.match.TraceId;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.Reply;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** {@code GET /v1/recorded}: production's newest calls that the debug JVM hasn't asked for. */
final class JournalReport {
    private static final int USUAL = 10;
    private static final int MOST = 1_000;

    private final List<Upstream<?>> upstreams;
    private final LongSupplier nanoTime;
    private final InstantSource clock;

    /** @param nanoTime the journals' clock */
    JournalReport(List<Upstream<?>> upstreams, LongSupplier nanoTime, InstantSource clock) {
        this.upstreams = List.copyOf(upstreams);
        this.nanoTime = nanoTime;
        this.clock = clock;
    }

    /** So many of each upstream, or of one. */
    Reply newest(Call call) {
        String wanted = call.parameter("upstream", "");
        int limit = call.number("limit", USUAL, 1, MOST);
        List<Map<String, Object>> recorded = new ArrayList<>();
        for (Upstream<?> upstream : upstreams) {
            String name = upstream.config().name();
            if (wanted.isEmpty() || wanted.equals(name)) {
                upstream.journal().newest(limit).forEach(one -> recorded.add(spell(name, one)));
            }
        }
        recorded.sort(Comparator.comparing((Map<String, Object> one) -> (Instant) one.get("at"))
                .reversed());
        recorded.forEach(one -> one.compute("at", (key, at) -> String.valueOf(at)));
        return Reply.json(Map.of("recorded", recorded));
    }

    private Map<String, Object> spell(String upstream, JournalItem recorded) {
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("id", recorded.id());
        spelled.put("upstream", upstream);
        spelled.put("at", clock.instant().minusNanos(nanoTime.getAsLong() - recorded.endNanos()));
        spelled.put("form", recorded.form().text());
        TraceId trace = recorded.form().trace();
        if (trace != null) {
            spelled.put("trace", trace.toString());
        }
        spelled.put("connection", recorded.connection());
        spelled.put("tookMillis", Math.round((recorded.endNanos() - recorded.startNanos()) / 1e3) / 1e3);
        spelled.put("onDisk", recorded.onDisk());
        return spelled;
    }
}
