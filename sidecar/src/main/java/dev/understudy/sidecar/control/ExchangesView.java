package dev.understudy.sidecar.control;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.Reply;
import dev.understudy.sidecar.lane.DebugLanes;
import dev.understudy.sidecar.report.Reproduction;
import dev.understudy.sidecar.verdict.ExchangeLog;
import dev.understudy.sidecar.verdict.ExchangeLog.Entry;
import dev.understudy.sidecar.verdict.Failing;
import dev.understudy.sidecar.verdict.Judged;
import dev.understudy.sidecar.verdict.OutgoingStore;
import dev.understudy.sidecar.verdict.ReplyExcerpt;
import dev.understudy.sidecar.verdict.ReplyPair;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v1/exchanges}: the newest exchanges that fit a filter, newest first; {@code GET /v1/exchanges/7}: all
 * that is known of one; {@code GET /v1/exchanges/7/body?side=production}: a body that isn't text.
 */
public final class ExchangesView {
    private static final int USUAL = 100;
    private static final int MOST = 500;

    /** Looked at in one call, so that other callers don't wait for long. */
    private static final int MOST_SEARCHED = 5_000;

    private final ExchangeLog log;
    private final List<Watched> listeners;
    private final Map<String, OutgoingStore> outgoing;
    private final UnaryOperator<String> tracePage;
    final ReplyText replies;

    /**
     * A view of {@code log}.
     *
     * @param outgoing that of each debug JVM whose upstream calls are compared
     * @param tracePage where a trace is shown, by its id; "" if that isn't known
     */
    public ExchangesView(
            ExchangeLog log,
            List<Watched> listeners,
            Map<String, OutgoingStore> outgoing,
            Masking masking,
            UnaryOperator<String> tracePage) {
        this.log = log;
        this.listeners = List.copyOf(listeners);
        this.outgoing = outgoing;
        this.tracePage = tracePage;
        this.replies = new ReplyText(masking);
    }

    /**
     * The list.
     *
     * @throws IllegalArgumentException if a parameter is malformed or out of range
     */
    public Map<String, Object> list(Call call) {
        ExchangeFilter filter = ExchangeFilter.of(call);
        long newest = log.newest();
        ExchangeLog.Found found = log.search(
                filter,
                call.whole("after", 0),
                Math.min(newest + 1, call.whole("before", Long.MAX_VALUE)),
                call.number("limit", USUAL, 1, MOST),
                MOST_SEARCHED);
        Map<String, Object> list = new LinkedHashMap<>();
        list.put("exchanges", found.entries().stream().map(ExchangesView::row).toList());
        list.put("newest", newest);
        list.put("oldest", log.oldest());
        list.put("next", found.next());
        return list;
    }

    /**
     * One exchange; 404 if it isn't kept.
     *
     * @throws IllegalArgumentException if it is no number
     */
    public Reply one(Call call) {
        Entry entry = find(call);
        return entry == null ? unknown(call) : Reply.json(spell(entry));
    }

    /**
     * One side's body that isn't text; 404 if there is none, or it isn't kept.
     *
     * @throws IllegalArgumentException if it is no number, or there is no such side
     */
    public Reply body(Call call) {
        String side = call.parameter("side", "");
        if (!side.equals("production") && !side.equals("debug")) {
            throw new IllegalArgumentException("side: " + side + " (expected: production or debug)");
        }
        Entry entry = find(call);
        if (entry == null) {
            return unknown(call);
        }
        ReplyPair pair = entry.replies();
        ReplyExcerpt reply = pair == null ? null : side.equals("debug") ? pair.debug() : pair.production();
        return reply == null || !BinaryBody.is(reply)
                ? Reply.problem(404, "Not found", "no body that isn't text is kept of that side")
                : Reply.json(BinaryBody.spell(reply));
    }

    /** The exchange of a call's path; null if it isn't kept. */
    @Nullable
    Entry find(Call call) {
        String wanted = call.captured("exchange");
        try {
            return log.find(Long.parseLong(wanted));
        } catch (NumberFormatException wrong) {
            throw new IllegalArgumentException("exchange: " + wanted + " (expected: a number)", wrong);
        }
    }

    static Reply unknown(Call call) {
        return Reply.problem(
                404, "Not found", "exchange " + call.captured("exchange") + " is not kept, or not any more");
    }

    private static Map<String, Object> row(Entry entry) {
        Judged judged = entry.judged();
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("number", entry.number());
        row.put("exchange", judged.exchange());
        row.put("debug", entry.debug());
        row.put("listener", judged.listener());
        row.put("at", judged.at());
        row.put("debugAt", judged.debugAt());
        row.put("route", entry.route());
        row.put("request", judged.request());
        row.put("kind", judged.verdict().kind().name());
        row.put("reason", VerdictsView.name(judged.verdict().reason()));
        row.put("failing", spell(entry.failing()));
        row.put("productionStatus", judged.productionStatus());
        row.put("debugStatus", judged.debugStatus());
        row.put("productionMillis", judged.productionMillis());
        row.put("debugMillis", judged.debugMillis());
        row.put("differenceCount", judged.verdict().differences().size());
        return row;
    }

    private static @Nullable Map<String, Object> spell(@Nullable Failing failing) {
        return failing == null ? null : Map.of("by", failing.by(), "rule", failing.rule());
    }

    private Map<String, Object> spell(Entry entry) {
        Judged judged = entry.judged();
        OutgoingStore calls = outgoing.get(entry.debug());
        Map<String, Object> spelled = new LinkedHashMap<>(row(entry));
        spelled.putAll(VerdictsView.spell(judged, calls == null ? null : calls.of(judged.exchange())));
        String trace = judged.trace();
        spelled.put("tracePage", trace == null ? "" : tracePage.apply(trace));
        ReplyPair pair = entry.replies();
        spelled.put("sent", pair == null ? null : replies.spellRequest(pair.request()));
        spelled.put("production", pair == null ? null : replies.spell(pair.production()));
        spelled.put("copy", pair == null ? null : replies.spell(pair.debug()));
        Watched watched = Watched.find(listeners, judged.listener());
        DebugLanes lanes = watched == null ? null : lanes(watched, entry.debug());
        spelled.put("fidelity", lanes == null ? "" : lanes.tally().fidelity().statement());
        spelled.put(
                "reproduce",
                watched == null || lanes == null
                        ? List.of()
                        : Reproduction.lines(
                                Address.spell(watched.listener().address()),
                                StatusView.address(lanes),
                                watched.recording().status().file(),
                                judged.request(),
                                judged.exchange(),
                                judged.connection()));
        return spelled;
    }

    /** Those that an exchange went over; null if they aren't there any more. */
    @Nullable
    public DebugLanes lanes(Entry entry) {
        Watched watched = Watched.find(listeners, entry.judged().listener());
        return watched == null ? null : lanes(watched, entry.debug());
    }

    private static @Nullable DebugLanes lanes(Watched watched, String debug) {
        for (DebugLanes lanes : watched.lanes()) {
            if (lanes.debug().equals(debug)) {
                return lanes;
            }
        }
        return null;
    }
}
