package dev.understudy.sidecar.control;

import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.Reply;
import dev.understudy.sidecar.frame.http.HttpReplyBytes;
import dev.understudy.sidecar.inbound.RerunNotice;
import dev.understudy.sidecar.lane.DebugLanes;
import dev.understudy.sidecar.trace.TraceIds;
import dev.understudy.sidecar.verdict.ExchangeLog.Entry;
import dev.understudy.sidecar.verdict.Judged;
import dev.understudy.sidecar.verdict.ReplyExcerpt;
import dev.understudy.sidecar.verdict.ReplyPair;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code POST /v1/exchanges/7/replay}: sends a kept request to the debug JVM once more, and never to production;
 * {@code GET}: what came of that.
 *
 * <p>One is underway at a time, and the newest {@value #KEPT} outcomes are kept. Guarded by {@code this}: calls come on
 * the control thread, outcomes on any.
 */
public final class ReplayControl {
    private static final Logger LOG = LoggerFactory.getLogger(ReplayControl.class);
    private static final int KEPT = 16;

    private final ExchangesView exchanges;
    private final Function<String, RerunNotice> notices;
    private final Map<Long, Run> runs = new LinkedHashMap<>();
    private long underway;

    /**
     * None was sent yet.
     *
     * @param exchanges finds them
     * @param notices has those of a debug JVM, by its name, get the upstream replies that they got before
     */
    public ReplayControl(ExchangesView exchanges, Function<String, RerunNotice> notices) {
        this.exchanges = exchanges;
        this.notices = notices;
    }

    private enum State {
        RUNNING,
        DONE,
        GIVEN_UP
    }

    /**
     * One request that was sent once more.
     *
     * @param judged null while it runs, and if it was given up
     * @param reply debug's new one; null if none came, or it is equal to production's
     */
    private record Run(
            State state,
            long at,
            @Nullable Judged judged,
            @Nullable ReplyExcerpt reply) {}

    /**
     * Sends it; 409 if that can't be, or another one is underway.
     *
     * @throws IllegalArgumentException if the exchange is no number
     */
    public Reply start(Call call) {
        Entry entry = exchanges.find(call);
        if (entry == null) {
            return ExchangesView.unknown(call);
        }
        String obstacle = obstacle(entry);
        ReplyPair kept = entry.replies();
        DebugLanes lanes = exchanges.lanes(entry);
        if (!obstacle.isEmpty() || kept == null || kept.request() == null || kept.production() == null) {
            return Reply.problem(409, "Can't be run again", obstacle);
        }
        long exchange = entry.judged().exchange();
        if (lanes == null || !begin(exchange)) {
            return Reply.problem(409, "Not now", "another exchange is run again just now");
        }
        String request = entry.judged().request();
        byte[] production = HttpReplyBytes.of(kept.production(), request.substring(0, request.indexOf(' ')));
        byte[] again = kept.request();
        TraceIds trace = lanes.nextTrace();
        // one that the debug JVM isn't told stands for the calls that name none
        String noticed = (trace == null ? TraceIds.draw(ThreadLocalRandom.current()) : trace).trace();
        RerunNotice notice = notices.apply(entry.debug());
        var unused = notice.give(noticed, exchange)
                .thenAccept(isKnown -> {
                    if (!isKnown) {
                        throw new IllegalStateException("the aggregator can't be told");
                    }
                    lanes.replay(entry.judged().connection(), again, production, trace, (judged, replies) -> {
                        notice.over(noticed, exchange);
                        ended(exchange, judged, replies);
                    });
                })
                .exceptionally(defect -> {
                    LOG.error("exchange {} couldn't be run again", exchange, defect);
                    notice.over(noticed, exchange);
                    ended(exchange, null, null); // else none could be run again any more
                    return null;
                });
        return Reply.json(spell(entry));
    }

    /**
     * What came of it, and what prevents it.
     *
     * @throws IllegalArgumentException if the exchange is no number
     */
    public Reply read(Call call) {
        Entry entry = exchanges.find(call);
        return entry == null ? ExchangesView.unknown(call) : Reply.json(spell(entry));
    }

    private synchronized boolean begin(long exchange) {
        if (underway != 0) {
            return false;
        }
        underway = exchange;
        keep(exchange, new Run(State.RUNNING, System.currentTimeMillis(), null, null));
        return true;
    }

    private synchronized void ended(long exchange, @Nullable Judged judged, @Nullable ReplyPair replies) {
        underway = underway == exchange ? 0 : underway; // another may have begun since it was given up
        Run begun = runs.get(exchange);
        long at = begun == null ? System.currentTimeMillis() : begun.at;
        State state = judged == null ? State.GIVEN_UP : State.DONE;
        keep(exchange, new Run(state, at, judged, replies == null ? null : replies.debug()));
    }

    private void keep(long exchange, Run run) {
        runs.remove(exchange);
        runs.put(exchange, run);
        if (runs.size() > KEPT) {
            runs.remove(runs.keySet().iterator().next());
        }
    }

    /** Why it can't be run again; "" if it can. */
    private String obstacle(Entry entry) {
        ReplyPair kept = entry.replies();
        ReplyExcerpt production = kept == null ? null : kept.production();
        DebugLanes lanes = exchanges.lanes(entry);
        if (kept == null || kept.request() == null || production == null) {
            return "its request or production's reply isn't kept: only those of HTTP/1.1, of at most 16 KiB, whose "
                    + "replies differ or are failures, among the newest";
        }
        if (!HttpReplyBytes.isWhole(production)) {
            return "production's reply is kept only in part: " + production.body().length + " of "
                    + production.bodyLength() + " bytes";
        }
        if (lanes == null) {
            return "its debug JVM isn't in the settings";
        }
        return lanes.awaitsSnapshot()
                ? "the debug JVM is about to begin anew, with a snapshot"
                : notices.apply(entry.debug()).obstacle();
    }

    private synchronized Map<String, Object> spell(Entry entry) {
        Run run = runs.get(entry.judged().exchange());
        Judged judged = run == null ? null : run.judged;
        ReplyPair kept = entry.replies();
        ReplyExcerpt production = kept == null ? null : kept.production();
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("exchange", entry.judged().exchange());
        spelled.put("obstacle", obstacle(entry));
        spelled.put("state", run == null ? "NONE" : run.state.name());
        spelled.put("at", run == null ? 0 : run.at);
        spelled.put("production", exchanges.replies.spell(production));
        spelled.put("kind", null);
        spelled.put("reason", null);
        spelled.put("differences", List.of());
        spelled.put("debugStatus", 0);
        spelled.put("debugMillis", null);
        spelled.put("copy", null);
        if (run != null && judged != null) {
            Map<String, Object> found = VerdictsView.spell(judged, null);
            for (String field : new String[] {"kind", "reason", "differences", "debugMillis"}) {
                spelled.put(field, found.get(field));
            }
            spelled.put("debugStatus", judged.debugStatus());
            boolean isSame = judged.verdict().kind() == VerdictKind.SAME;
            spelled.put("copy", exchanges.replies.spell(isSame ? production : run.reply));
        }
        return spelled;
    }
}
