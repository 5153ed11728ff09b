package dev.understudy.sidecar.ranking;

import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.Reply;
import dev.understudy.sidecar.control.AgentReports;
import dev.understudy.sidecar.label.ExchangeOutcome;
import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.steer.DeepOrders;
import dev.understudy.sidecar.suspect.Focus;
import dev.understudy.sidecar.suspect.Suspect;
import dev.understudy.sidecar.suspect.Suspects;
import dev.understudy.sidecar.suspect.SuspectsReading;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * {@code POST /v1/observations}: what an agent observed of exchanges; {@code GET /v1/suspects}: who is to blame for
 * failing.
 */
public final class SuspectsView {
    private static final int LARGEST = 8 << 20;

    /** It is thought over as often, and twenty times as long after as it took. */
    private static final long PAUSE_NANOS = 5_000_000_000L;

    private static final int SHARE = 20;
    /** Of all agents together. */
    private static final int MOST_CIRCLES = 100;

    private final Suspects suspects;
    private final AgentReports agents;
    private final DeepOrders deep;
    private final Function<ExchangeOutcome, List<Suspect.Alike>> experiments;
    private final LongSupplier nanoTime;
    private long focusDue;

    /**
     * A view of {@code suspects} that orders agents to look closer where they lead, and of what agents say stays in
     * memory.
     *
     * @param experiments what an experiment has shown of a suspect's example
     */
    public SuspectsView(
            Suspects suspects,
            AgentReports agents,
            DeepOrders deep,
            Function<ExchangeOutcome, List<Suspect.Alike>> experiments,
            LongSupplier nanoTime) {
        this.suspects = suspects;
        this.agents = agents;
        this.deep = deep;
        this.experiments = experiments;
        this.nanoTime = nanoTime;
        this.focusDue = nanoTime.getAsLong();
    }

    /**
     * Takes observations.
     *
     * @throws IllegalArgumentException if they can't be read
     */
    public Reply post(Call call) {
        if (call.body().length > LARGEST) {
            return Reply.problem(413, "Too large", call.body().length + " bytes (expected: <= " + LARGEST + ")");
        }
        Suspects.Taken taken = suspects.observed(call.body());
        focus();
        return taken.unnamed() == 0
                ? Reply.json(Map.of("taken", taken.exchanges()))
                : Reply.problem(
                        409, "Unnamed methods", taken.unnamed() + " exchanges name methods that were never named");
    }

    private synchronized void focus() {
        long begun = nanoTime.getAsLong();
        if (begun - focusDue < 0) {
            return;
        }
        Focus focus = suspects.focus();
        deep.search(focus.classes(), focus.methods());
        long ended = nanoTime.getAsLong();
        focusDue = ended + Math.max(PAUSE_NANOS, SHARE * (ended - begun));
    }

    /** The document. */
    public Map<String, Object> read() {
        SuspectsReading standing = suspects.standing();
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("silence", standing.silence());
        spelled.put("labels", standing.labels());
        Map<String, Object> exchanges = new LinkedHashMap<>();
        exchanges.put("failing", standing.failing());
        exchanges.put("successful", standing.successful());
        exchanges.put("unknown", standing.unknown());
        exchanges.put("unlabelled", standing.unlabelled());
        exchanges.put("waiting", standing.waiting());
        exchanges.put("unnamed", standing.unnamed());
        exchanges.put("least", standing.least());
        spelled.put("exchanges", exchanges);
        Map<String, Integer> why = new LinkedHashMap<>();
        for (LabelRule.Why reason : LabelRule.Why.values()) {
            if (reason != LabelRule.Why.NONE && reason != LabelRule.Why.UNKNOWN) {
                why.put(reason.name(), standing.counts().getOrDefault(reason, 0));
            }
        }
        spelled.put("failingBy", why);
        spelled.put("tooDifferent", standing.tooDifferent());
        spelled.put("rules", standing.rules());
        LeaksView growing = new LeaksView();
        List<OneRanking.Entry> circles = new ArrayList<>();
        agents.eachFresh(report -> {
            growing.add(report);
            LockCycles.of(report).limit(MOST_CIRCLES - circles.size()).forEach(circles::add);
        });
        List<OneRanking.Entry> suspected = new ArrayList<>();
        for (Suspect suspect : standing.suspects()) {
            boolean isFirst = suspected.isEmpty();
            suspected.add(entry(isFirst ? suspect.blamedOn(experiments.apply(suspect.example())) : suspect));
        }
        List<OneRanking.Entry> leaks = growing.methods();
        OneRanking.number(suspected, leaks, circles);
        spelled.put("suspects", OneRanking.spelled(suspected));
        spelled.put("unexplained", standing.unexplained());
        spelled.put("looking", deep.searched());
        spelled.put("leaks", OneRanking.spelled(leaks));
        spelled.put("growing", growing.classes());
        spelled.put("lockCycles", OneRanking.spelled(circles));
        return spelled;
    }

    private static OneRanking.Entry entry(Suspect suspect) {
        Set<String> methods = new HashSet<>();
        methods.add(suspect.method());
        suspect.alike().forEach(alike -> methods.add(alike.method()));
        return new OneRanking.Entry(spell(suspect), methods);
    }

    private static Map<String, Object> spell(Suspect suspect) {
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("rank", 0);
        spelled.put("method", suspect.method());
        spelled.put("predicate", suspect.predicate());
        spelled.put("line", suspect.line());
        spelled.put("importance", round(suspect.importance()));
        spelled.put("increase", round(suspect.increase()));
        spelled.put("low", round(suspect.low()));
        spelled.put("high", round(suspect.high()));
        spelled.put("failing", suspect.failing());
        spelled.put("successful", suspect.successful());
        spelled.put("failingObserved", suspect.failingObserved());
        spelled.put("successfulObserved", suspect.successfulObserved());
        spelled.put("explains", suspect.explains());
        spelled.put("alike", suspect.alike().stream().map(SuspectsView::spell).toList());
        spelled.put("context", suspect.context());
        spelled.put("example", spell(suspect.example()));
        return spelled;
    }

    private static Map<String, Object> spell(Suspect.Alike alike) {
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("method", alike.method());
        spelled.put("predicate", alike.predicate());
        spelled.put("line", alike.line());
        spelled.put("importance", round(alike.importance()));
        return spelled;
    }

    private static Map<String, Object> spell(ExchangeOutcome example) {
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("exchange", example.exchange());
        spelled.put("listener", example.listener());
        spelled.put("connection", example.connection());
        spelled.put("arrival", example.arrival());
        spelled.put("request", example.request());
        spelled.put("status", example.status());
        // only what HTTP carries: other protocols' words may be a user's
        spelled.put("said", example.status() > 0 ? example.said() : "");
        return spelled;
    }

    private static double round(double value) {
        return Math.round(value * 1e4) / 1e4;
    }
}
