package dev.understudy.aggregator;

import dev.understudy.aggregator.journal.JournalItem;
import dev.understudy.aggregator.match.TraceId;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.Reply;
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

    /** @param nanoTime the journals' clock */
    JournalReport(List<Upstream<?>> upstreams, LongSupplier nanoTime) {
        this.upstreams = List.copyOf(upstreams);
        this.nanoTime = nanoTime;
    }

    /** One with the name of its upstream. */
    private record NamedItem(String upstream, JournalItem item) {}

    /** So many of each upstream, or of one. */
    Reply newest(Call call) {
        String wanted = call.parameter("upstream", "");
        int limit = call.number("limit", USUAL, 1, MOST);
        List<NamedItem> newest = new ArrayList<>();
        for (Upstream<?> upstream : upstreams) {
            String name = upstream.config().name();
            if (wanted.isEmpty() || wanted.equals(name)) {
                upstream.journal().newest(limit).forEach(item -> newest.add(new NamedItem(name, item)));
            }
        }
        newest.sort(Comparator.comparingLong((NamedItem one) -> one.item().endNanos())
                .reversed());
        return Reply.json(Map.of("recorded", newest.stream().map(this::spell).toList()));
    }

    private Map<String, Object> spell(NamedItem named) {
        JournalItem item = named.item();
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("id", item.id());
        spelled.put("upstream", named.upstream());
        spelled.put("ageMillis", millis(nanoTime.getAsLong() - item.endNanos()));
        spelled.put("form", item.form().text());
        TraceId trace = item.form().trace();
        if (trace != null) {
            spelled.put("trace", trace.toString());
        }
        spelled.put("connection", item.connection());
        spelled.put("tookMillis", millis(item.endNanos() - item.startNanos()));
        spelled.put("onDisk", item.onDisk());
        return spelled;
    }

    private static double millis(long nanos) {
        return Math.round(nanos / 1e3) / 1e3;
    }
}
