package dev.understudy.aggregator;

import dev.understudy.aggregator.outgoing.CallDifference;
import dev.understudy.aggregator.outgoing.Compared;
import dev.understudy.aggregator.outgoing.OutgoingCalls;
import dev.understudy.aggregator.outgoing.Uncompared;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.Reply;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Tells how the upstream calls that both JVMs made for each inbound exchange compare. */
final class OutgoingReport {
    private static final Set<VerdictKind> KINDS =
            EnumSet.of(VerdictKind.SAME, VerdictKind.DIFFERENT, VerdictKind.NOT_COMPARED);

    private OutgoingReport() {}

    /** Answers {@code GET /v1/outgoing}. */
    static Reply latest(OutgoingCalls outgoing, Call call) {
        return Reply.json(spell(outgoing.latest(kind(call.parameter("kind", "")), call.number("limit", 10, 1, 1000))));
    }

    static Map<String, Object> spell(List<Compared> compared) {
        return Map.of("outgoing", compared.stream().map(OutgoingReport::spell).toList());
    }

    /** For the status. */
    static Map<String, Object> counts(OutgoingCalls outgoing) {
        Map<String, Object> counts = new LinkedHashMap<>();
        counts.put("same", outgoing.count(VerdictKind.SAME));
        counts.put("different", outgoing.count(VerdictKind.DIFFERENT));
        Map<String, Long> reasons = new TreeMap<>();
        for (Uncompared reason : Uncompared.values()) {
            reasons.put(reason.name(), outgoing.count(reason));
        }
        counts.put("notCompared", reasons);
        Map<String, Long> differences = new TreeMap<>();
        for (CallDifference.Kind kind : CallDifference.Kind.values()) {
            differences.put(kind.name(), outgoing.count(kind));
        }
        counts.put("differences", differences);
        counts.put("guessed", outgoing.guessed());
        return counts;
    }

    private static Map<String, Object> spell(Compared compared) {
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("inbound", compared.inbound());
        spelled.put("kind", compared.kind().name());
        put(
                spelled,
                "reason",
                compared.reason() == null ? null : compared.reason().name());
        spelled.put("production", compared.production());
        spelled.put("debug", compared.debug());
        spelled.put(
                "differences",
                compared.differences().stream().map(OutgoingReport::spell).toList());
        if (compared.guesses() > 0) {
            spelled.put("guesses", compared.guesses());
        }
        if (compared.omitted() > 0) {
            spelled.put("omitted", compared.omitted());
        }
        return spelled;
    }

    private static Map<String, Object> spell(CallDifference difference) {
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("kind", difference.kind().name());
        spelled.put("upstream", difference.upstream());
        put(spelled, "production", difference.production());
        put(spelled, "debug", difference.debug());
        return spelled;
    }

    private static @Nullable VerdictKind kind(String name) {
        return name.isEmpty()
                ? null
                : KINDS.stream()
                        .filter(kind -> kind.name().equals(name.toUpperCase(Locale.ROOT)))
                        .findFirst()
                        .orElseThrow(() ->
                                new IllegalArgumentException("kind: " + name + " (expected: one of " + KINDS + ")"));
    }

    private static void put(Map<String, Object> map, String name, @Nullable Object value) {
        if (value != null) {
            map.put(name, value);
        }
    }
}
