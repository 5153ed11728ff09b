package dev.understudy.divergence.noise;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.content.Folding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Overlooks what rules say, and counts how often each did. A verdict whose list of differences is full stays as it is:
 * what isn't in the list may matter. For all threads.
 */
public final class NoiseRules {
    private final Map<NoiseRule, LongAdder> fired = new LinkedHashMap<>();
    private final Map<String, List<NoiseRule>> byPath = new HashMap<>();
    private final int limit;

    /** @param limit how many real differences a comparison lists before it looks no further */
    public NoiseRules(List<NoiseRule> rules, int limit) {
        this.limit = limit;
        for (NoiseRule rule : rules) {
            fired.put(rule, new LongAdder());
            byPath.computeIfAbsent(rule.path(), unseen -> new ArrayList<>()).add(rule);
        }
    }

    /**
     * The verdict with what may differ marked as {@link Noise#RULE}; EQUIVALENT if nothing else differs.
     *
     * @param request method and target
     * @param verdict with its values as they are, not masked
     */
    public Verdict apply(String request, Verdict verdict) {
        if (byPath.isEmpty() || verdict.kind() != VerdictKind.DIFFERENT) {
            return verdict;
        }
        String route = Folding.route(request);
        List<Difference> marked = new ArrayList<>();
        List<NoiseRule> used = new ArrayList<>();
        int before = 0;
        for (Difference difference : verdict.differences()) {
            before += difference.noise() == null ? 1 : 0;
            NoiseRule rule = difference.noise() == null ? rule(route, difference) : null;
            if (rule != null) {
                used.add(rule);
            }
            marked.add(rule == null ? difference : difference.asNoise(Noise.RULE));
        }
        if (before >= limit || used.isEmpty()) {
            return verdict;
        }
        used.stream().distinct().forEach(this::count);
        return verdict.overlooking(marked);
    }

    /** Whether a rule says of that place that nothing may differ there ({@link ValueClass#NONE}). */
    public boolean forbids(String route, Difference difference) {
        return byPath.getOrDefault(Folding.place(difference.path()), List.of()).stream()
                .anyMatch(rule -> rule.value() == ValueClass.NONE && rule.isOf(route));
    }

    /** In how many exchanges each rule overlooked something. */
    public Map<NoiseRule, Long> fired() {
        Map<NoiseRule, Long> counts = new LinkedHashMap<>();
        fired.forEach((rule, count) -> counts.put(rule, count.sum()));
        return counts;
    }

    private void count(NoiseRule rule) {
        LongAdder count = fired.get(rule);
        if (count != null) {
            count.increment();
        }
    }

    private @Nullable NoiseRule rule(String route, Difference difference) {
        if (forbids(route, difference)) {
            return null;
        }
        for (NoiseRule rule : byPath.getOrDefault(Folding.place(difference.path()), List.of())) {
            if (rule.isOf(route) && rule.allows(difference)) {
                return rule;
            }
        }
        return null;
    }
}
