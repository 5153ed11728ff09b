package dev.understudy.sidecar.label;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts of how many exchanges each of the operator's rules held. Not for several threads. */
public final class RuleHits {
    private final Map<LabelRule.Also, Long> hits = new LinkedHashMap<>();

    /** Of none yet. */
    public RuleHits(List<LabelRule.Also> rules) {
        rules.forEach(rule -> hits.put(rule, 0L));
    }

    /** One more exchange has ended. */
    public void add(ExchangeOutcome ending) {
        hits.replaceAll((rule, count) -> ending.debugMillis() != null && rule.holds(ending) ? count + 1 : count);
    }

    /** The counts by how the rules are written, in their order. */
    public Map<String, Long> read() {
        Map<String, Long> read = new LinkedHashMap<>();
        hits.forEach((rule, count) -> read.put(rule.toString(), count));
        return read;
    }
}
