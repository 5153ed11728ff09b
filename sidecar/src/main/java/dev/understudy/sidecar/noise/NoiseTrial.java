package dev.understudy.sidecar.noise;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.content.Folding;
import dev.understudy.divergence.noise.NoiseRule;
import dev.understudy.divergence.noise.NoiseRules;
import dev.understudy.sidecar.verdict.ExchangeLog;
import dev.understudy.sidecar.verdict.Judged;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a rule would have hidden among the newest kept exchanges that differ, besides what those that hold by now would
 * hide. Values that are masked fit no kind but {@code any}. Of what differs in more places than a comparison lists
 * nothing is hidden, as by a rule that holds.
 */
final class NoiseTrial {
    private static final int MOST_TRIED = 10_000;
    private static final int MOST_LOOKED_AT = 200_000;
    private static final int EXAMPLES = 10;

    /** Characters of a value, a path or a request. */
    private static final int LONGEST = 300;

    private final ExchangeLog log;
    private final int limit;

    /** @param limit how many real differences a comparison lists before it looks no further */
    NoiseTrial(ExchangeLog log, int limit) {
        this.log = log;
        this.limit = limit;
    }

    /** The document. */
    Map<String, Object> run(List<NoiseRule> standing, NoiseRule rule) {
        List<NoiseRule> all = new ArrayList<>(standing);
        all.add(rule);
        NoiseRules holding = new NoiseRules(standing, limit);
        NoiseRules rules = new NoiseRules(all, limit);
        List<ExchangeLog.Entry> different = log.search(
                        entry -> entry.judged().verdict().kind() == VerdictKind.DIFFERENT,
                        0,
                        Long.MAX_VALUE,
                        MOST_TRIED,
                        MOST_LOOKED_AT)
                .entries();
        int tried = 0;
        int hidden = 0;
        int reduced = 0;
        List<Map<String, Object>> examples = new ArrayList<>();
        for (ExchangeLog.Entry entry : different) {
            Judged judged = entry.judged();
            Verdict before = holding.apply(judged.request(), judged.verdict());
            tried += before.kind() == VerdictKind.DIFFERENT ? 1 : 0;
            Verdict after = rules.apply(judged.request(), judged.verdict());
            Difference overlooked = overlooked(before, after);
            if (overlooked == null) {
                continue;
            }
            boolean isHidden = after.kind() == VerdictKind.EQUIVALENT;
            hidden += isHidden ? 1 : 0;
            reduced += isHidden ? 0 : 1;
            if (examples.size() < EXAMPLES) {
                examples.add(example(judged, isHidden, overlooked));
            }
        }
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("tried", tried);
        told.put("hidden", hidden);
        told.put("reduced", reduced);
        told.put("examples", examples);
        return told;
    }

    /** The first difference that counts before and is noise after; null if there is none. */
    private static @Nullable Difference overlooked(Verdict before, Verdict after) {
        return before.differences().stream()
                .filter(difference ->
                        difference.noise() == null && !after.differences().contains(difference))
                .findFirst()
                .orElse(null);
    }

    private static Map<String, Object> example(Judged judged, boolean isHidden, Difference difference) {
        Map<String, Object> example = new LinkedHashMap<>();
        example.put("exchange", judged.exchange());
        example.put("request", shortened(judged.request()));
        example.put("hidden", isHidden);
        example.put("path", shortened(difference.path()));
        example.put("production", shortened(difference.production()));
        example.put("debug", shortened(difference.debug()));
        return example;
    }

    private static String shortened(@Nullable String text) {
        return text == null ? "" : Folding.shortened(text, LONGEST);
    }
}
