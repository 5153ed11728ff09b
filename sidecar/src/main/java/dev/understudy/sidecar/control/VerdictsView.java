package dev.understudy.sidecar.control;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.relay.control.Call;
import dev.understudy.sidecar.config.SidecarConfig;
import dev.understudy.sidecar.verdict.Judged;
import dev.understudy.sidecar.verdict.Outgoing;
import dev.understudy.sidecar.verdict.OutgoingStore;
import dev.understudy.sidecar.verdict.VerdictStore;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/verdicts?kind=DIFFERENT&limit=3}: the newest verdicts, newest first. */
public final class VerdictsView {
    private static final int DEFAULT_LIMIT = 20;
    private static final int MOST = SidecarConfig.MOST_VERDICTS;

    private final Map<String, VerdictStore> stores;
    private final Map<String, OutgoingStore> outgoing;

    /**
     * @param stores that of each debug JVM by its name, the first one's first; at least one
     * @param outgoing that of each debug JVM whose upstream calls are compared
     */
    public VerdictsView(Map<String, VerdictStore> stores, Map<String, OutgoingStore> outgoing) {
        this.stores = stores;
        this.outgoing = outgoing;
    }

    /**
     * The document.
     *
     * @throws IllegalArgumentException if the caller asks for a kind that doesn't exist or a number out of range
     */
    public Map<String, Object> read(Call call) {
        int limit = call.number("limit", DEFAULT_LIMIT, 1, MOST);
        String debug = call.parameter("debug", stores.keySet().iterator().next());
        VerdictStore store = stores.get(debug);
        if (store == null) {
            throw new IllegalArgumentException("debug: " + debug + " (expected: one of " + stores.keySet() + ")");
        }
        List<Judged> newest = store.newest(kind(call.parameter("kind", "")), limit);
        OutgoingStore calls = outgoing.get(debug);
        Map<String, Object> view = new LinkedHashMap<>();
        view.put(
                "verdicts",
                newest.stream()
                        .map(judged -> spell(judged, calls == null ? null : calls.of(judged.exchange())))
                        .toList());
        view.putAll(kept(store));
        return view;
    }

    /** How many of each kind are kept, how many older ones are gone, and what keeps more. */
    static Map<String, Object> kept(VerdictStore store) {
        Map<String, Object> dropped = new LinkedHashMap<>();
        long all = 0;
        for (VerdictKind kind : VerdictKind.values()) {
            dropped.put(kind.name(), store.dropped(kind));
            all += store.dropped(kind);
        }
        Map<String, Object> kept = new LinkedHashMap<>();
        kept.put("keptOfEachKind", store.perKind());
        kept.put("dropped", dropped);
        kept.put("remedy", all == 0 ? "" : remedy(store.perKind()));
        return kept;
    }

    private static String remedy(int perKind) {
        return perKind < SidecarConfig.MOST_VERDICTS
                ? "comparison.keep-verdicts: " + perKind + " (at most " + SidecarConfig.MOST_VERDICTS + ") keeps more"
                : "comparison.keep-verdicts: " + perKind + " is the most; /v1/report counts them all";
    }

    private static @Nullable VerdictKind kind(String name) {
        if (name.isEmpty()) {
            return null;
        }
        for (VerdictKind kind : VerdictKind.values()) {
            if (kind.name().equals(name.toUpperCase(Locale.ROOT))) {
                return kind;
            }
        }
        throw new IllegalArgumentException(
                "kind: " + name + " (expected: one of " + Arrays.toString(VerdictKind.values()) + ")");
    }

    static Map<String, Object> spell(Judged judged, @Nullable Outgoing calls) {
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("exchange", judged.exchange());
        spelled.put("listener", judged.listener());
        spelled.put("connection", judged.connection());
        spelled.put("session", judged.session());
        spelled.put("request", judged.request());
        spelled.put("kind", judged.verdict().kind().name());
        spelled.put("reason", name(judged.verdict().reason()));
        spelled.put(
                "differences",
                judged.verdict().differences().stream().map(VerdictsView::spell).toList());
        spelled.put("trace", judged.trace());
        spelled.put("productionMillis", judged.productionMillis());
        spelled.put("debugMillis", judged.debugMillis());
        spelled.put("outgoing", calls == null ? null : spell(calls));
        return spelled;
    }

    static Map<String, Object> spell(Outgoing calls) {
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("kind", calls.kind().name());
        spelled.put("reason", calls.reason());
        spelled.put("production", calls.production());
        spelled.put("debug", calls.debug());
        spelled.put(
                "differences",
                calls.differences().stream().map(VerdictsView::spell).toList());
        spelled.put("guesses", calls.guesses());
        return spelled;
    }

    private static Map<String, Object> spell(Outgoing.Call call) {
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("kind", call.kind());
        spelled.put("upstream", call.upstream());
        spelled.put("production", call.production());
        spelled.put("debug", call.debug());
        return spelled;
    }

    private static Map<String, Object> spell(Difference difference) {
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("path", difference.path());
        spelled.put("type", difference.type().name());
        spelled.put("production", difference.production());
        spelled.put("debug", difference.debug());
        spelled.put("noise", name(difference.noise()));
        return spelled;
    }

    static @Nullable String name(@Nullable Enum<?> constant) {
        return constant == null ? null : constant.name();
    }
}
