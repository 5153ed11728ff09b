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
    private final int limit;
    private volatile Table table = new Table(Map.of(), Map.of());

    /** @param limit how many real differences a comparison lists before it looks no further */
    public NoiseRules(List<NoiseRule> rules, int limit) {
        this.limit = limit;
        replace(rules);
    }

    /** From now on these hold, in the place of those before. What is counted of those that stay is kept. */
    public synchronized void replace(List<NoiseRule> rules) {
        Map<NoiseRule, LongAdder> fired = new LinkedHashMap<>();
        Map<String, List<NoiseRule>> byPath = new HashMap<>();
        for (NoiseRule rule : rules) {
            LongAdder before = table.fired.get(rule);
            if (fired.putIfAbsent(rule, before == null ? new LongAdder() : before) == null) {
                byPath.computeIfAbsent(rule.path(), unseen -> new ArrayList<>()).add(rule);
            }
        }
        table = new Table(fired, byPath);
    }

    /**
     * The verdict with what may differ marked as {@link Noise#RULE}; EQUIVALENT if nothing else differs.
     *
     * @param request method and target
     * @param verdict with its values as they are, not masked
     */
    public Verdict apply(String request, Verdict verdict) {
        Table now = table;
        if (now.byPath.isEmpty() || verdict.kind() != VerdictKind.DIFFERENT) {
            return verdict;
        }
        String route = Folding.route(request);
        List<Difference> marked = new ArrayList<>();
        List<NoiseRule> used = new ArrayList<>();
        int before = 0;
        for (Difference difference : verdict.differences()) {
            before += difference.noise() == null ? 1 : 0;
            NoiseRule rule = difference.noise() == null ? now.rule(route, difference) : null;
            if (rule != null) {
                used.add(rule);
            }
            marked.add(rule == null ? difference : difference.asNoise(Noise.RULE));
        }
        if (before >= limit || used.isEmpty()) {
            return verdict;
        }
        used.stream().distinct().forEach(now::count);
        return verdict.overlooking(marked);
    }

    /** Whether a rule says of that place that nothing may differ there ({@link ValueClass#NONE}). */
    public boolean forbids(String route, Difference difference) {
        return table.forbids(route, difference);
    }

    /** In how many exchanges it overlooked something; 0 if it doesn't hold. */
    public long fired(NoiseRule rule) {
        LongAdder count = table.fired.get(rule);
        return count == null ? 0 : count.sum();
    }

    /** In how many exchanges each rule overlooked something. */
    public Map<NoiseRule, Long> fired() {
        Map<NoiseRule, Long> counts = new LinkedHashMap<>();
        table.fired.forEach((rule, count) -> counts.put(rule, count.sum()));
        return counts;
    }

    /**
     * The rules at one moment; neither map is changed any more.
     *
     * @param fired in how many exchanges each overlooked something
     * @param byPath those of each place
     */
    private record Table(Map<NoiseRule, LongAdder> fired, Map<String, List<NoiseRule>> byPath) {
        void count(NoiseRule rule) {
            LongAdder count = fired.get(rule);
            if (count != null) {
                count.increment();
            }
        }

        boolean forbids(String route, Difference difference) {
            return at(difference).stream().anyMatch(rule -> rule.value() == ValueClass.NONE && rule.isOf(route));
        }

        @Nullable
        NoiseRule rule(String route, Difference difference) {
            if (forbids(route, difference)) {
                return null;
            }
            for (NoiseRule rule : at(difference)) {
                if (rule.isOf(route) && rule.allows(difference)) {
                    return rule;
                }
            }
            return null;
        }

        private List<NoiseRule> at(Difference difference) {
            return byPath.getOrDefault(Folding.place(difference.path()), List.of());
        }
    }
}
