package dev.understudy.divergence.compare.sql;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Differences;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.ValueNoise;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.Verdicts;
import dev.understudy.divergence.compare.value.MixedText;
import dev.understudy.divergence.identity.IdentityDraft;
import dev.understudy.divergence.identity.IdentityMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares the replies of two SQL servers to one request: columns, rows (in order only where the statement asks for
 * one), what is said of each statement, errors and notices, and what is said of the connection.
 *
 * <p>Keeps nothing between calls; may be used by several threads at once.
 *
 * <p>Paths: {@code rows[3].price}, {@code columns[1].type}, {@code tag}, {@code error.state},
 * {@code notice[0].message}; of several results each begins with {@code result[1].}.
 */
public final class SqlComparison {
    private final ComparisonRules rules;
    private final IdentityMap identities;

    public SqlComparison(ComparisonRules rules, IdentityMap identities) {
        this.rules = rules;
        this.identities = identities;
    }

    /**
     * What differs and whether it matters. Never throws on what a server sent.
     *
     * <p>Replies of which one was cut off, or held more beside its rows than was kept, are NOT_COMPARED.
     */
    public Verdict compare(SqlReply production, SqlReply debug) {
        try {
            return verdict(production, debug);
        } catch (RuntimeException | StackOverflowError e) {
            return Verdict.notCompared(NotCompared.INTERNAL);
        }
    }

    private Verdict verdict(SqlReply production, SqlReply debug) {
        if (!production.complete() || !debug.complete()) {
            return Verdict.notCompared(NotCompared.INCOMPLETE);
        }
        if (production.tooLarge() || debug.tooLarge()) {
            return Verdict.notCompared(NotCompared.TOO_LARGE);
        }
        Differences differences = new Differences(rules);
        IdentityDraft draft = new IdentityDraft(identities);
        ValueNoise noise = new ValueNoise(rules, draft, production.span(), debug.span()).withoutLearning();
        MixedText mixed = new MixedText(draft, noise, differences);
        results(production.results(), debug.results(), new ResultComparison(noise, mixed, differences));
        int count = production.results().size();
        int other = debug.results().size();
        if (count != other) {
            differences.real("results", Difference.Type.LENGTH, count + " results", other + " results");
        }
        named("", production.facts(), debug.facts(), null, differences);
        named("", production.own(), debug.own(), Noise.IDENTITY, differences);
        return Verdicts.of(true, List.of(differences), rules);
    }

    private static void results(List<SqlResult> ours, List<SqlResult> theirs, ResultComparison each) {
        boolean one = ours.size() <= 1 && theirs.size() <= 1;
        for (int i = 0; i < Math.min(ours.size(), theirs.size()); i++) {
            each.compare(one ? "" : "result[" + i + "].", ours.get(i), theirs.get(i));
        }
    }

    /** @param why values may differ; null if they mayn't */
    static void named(
            String at,
            Map<String, String> ours,
            Map<String, String> theirs,
            @Nullable Noise why,
            Differences differences) {
        if (ours.equals(theirs)) {
            return;
        }
        Set<String> names = new LinkedHashSet<>(ours.keySet());
        names.addAll(theirs.keySet());
        for (String name : names) {
            String one = ours.get(name);
            String two = theirs.get(name);
            if (one == null) {
                differences.real(at + name, Difference.Type.EXTRA, null, two);
            } else if (two == null) {
                differences.real(at + name, Difference.Type.MISSING, one, null);
            } else if (!one.equals(two)) {
                differences.add(at + name, Difference.Type.VALUE, one, two, why);
            }
        }
    }
}
