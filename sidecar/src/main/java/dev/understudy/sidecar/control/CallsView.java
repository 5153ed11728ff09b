package dev.understudy.sidecar.control;

import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.Reply;
import dev.understudy.sidecar.trace.CallSpan;
import dev.understudy.sidecar.trace.CallSpanLog;
import dev.understudy.sidecar.trace.OtlpSpans;
import dev.understudy.sidecar.verdict.ExchangeLog.Entry;
import dev.understudy.sidecar.verdict.Judged;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * {@code GET /v1/exchanges/7/calls}: the calls of the debug JVM that its agent sampled while it served the exchange.
 *
 * <p>Agents send spans only while somebody wants them; those that pass are kept here. Confined to the control thread.
 */
public final class CallsView {
    private static final int MOST_SHOWN = 256;
    private static final double NANOS = 1_000_000;
    private static final long WANTED_NANOS = 60_000_000_000L;

    private final ExchangesView exchanges;
    private final BooleanSupplier watched;
    private final LongSupplier nanoTime;
    private final CallSpanLog log = new CallSpanLog();
    private long wantedUntil;

    /**
     * None yet.
     *
     * @param exchanges finds them
     * @param watched whether somebody wants spans who doesn't ask for them here
     */
    public CallsView(ExchangesView exchanges, BooleanSupplier watched, LongSupplier nanoTime) {
        this.exchanges = exchanges;
        this.watched = watched;
        this.nanoTime = nanoTime;
        this.wantedUntil = nanoTime.getAsLong();
    }

    /** Whether agents are to send spans: somebody watches, or has asked within a minute. */
    public boolean isWanted() {
        return watched.getAsBoolean() || wantedUntil - nanoTime.getAsLong() > 0;
    }

    /** An agent's spans pass. */
    public void passing(byte[] body) {
        OtlpSpans.read(body, log::add);
    }

    /**
     * The document; 404 if the exchange isn't kept.
     *
     * @throws IllegalArgumentException if it is no number
     */
    public Reply read(Call call) {
        Entry entry = exchanges.find(call);
        if (entry == null) {
            return ExchangesView.unknown(call);
        }
        wantedUntil = nanoTime.getAsLong() + WANTED_NANOS;
        Judged judged = entry.judged();
        String trace = judged.trace();
        List<CallSpan> spans = trace == null ? List.of() : log.of(trace);
        Map<String, Object> seen = new LinkedHashMap<>();
        seen.put("exchange", judged.exchange());
        seen.put("collecting", isWanted());
        seen.put("traced", trace != null);
        seen.put("found", spans.size());
        seen.put("calls", spell(spans.subList(0, Math.min(MOST_SHOWN, spans.size())), judged.debugAt()));
        return Reply.json(seen);
    }

    private static List<Map<String, Object>> spell(List<CallSpan> spans, double debugAt) {
        Map<Long, Integer> depths = new HashMap<>();
        List<Map<String, Object>> calls = new ArrayList<>();
        for (CallSpan span : spans) {
            int depth = depths.getOrDefault(span.parent(), -1) + 1;
            depths.put(span.id(), depth);
            Map<String, Object> call = new LinkedHashMap<>();
            call.put("name", span.name());
            call.put("depth", depth);
            call.put("from", micros(span.begunNanos() / NANOS - debugAt));
            call.put("took", micros((span.endedNanos() - span.begunNanos()) / NANOS));
            call.put("thrown", span.thrown());
            calls.add(call);
        }
        return calls;
    }

    private static double micros(double millis) {
        return Math.round(1_000 * millis) / 1_000.0;
    }
}
