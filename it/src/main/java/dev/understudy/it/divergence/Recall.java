package dev.understudy.it.divergence;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.compare.http.HttpComparison;
import dev.understudy.divergence.identity.IdentityMap;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;

/**
 * How many changes that mean something are reported. A reply that was cut off is, if its exchange is called not
 * compared.
 */
public final class Recall {
    private static final int MISSES = 40;
    private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

    private final Map<Mutation, int[]> counts = new EnumMap<>(Mutation.class);
    private final List<String> misses = new ArrayList<>();
    private int total;
    private int reported;

    private Recall() {}

    /**
     * Mutates every sample so many times.
     *
     * @param known whether both sides have shown the samples' values alike before, as in a session that has begun
     */
    public static Recall of(int perSample, long seed, boolean known) throws Exception {
        Recall recall = new Recall();
        List<Sample> samples = Samples.read();
        IdentityMap identities = new IdentityMap(20_000);
        HttpComparison comparison = new HttpComparison(ComparisonRules.defaults(), identities);
        for (Sample sample : samples) {
            if (known) {
                recall.expectSame(sample, comparison);
            }
        }
        Random random = new Random(seed);
        for (Sample sample : samples) {
            for (int i = 0; i < perSample; i++) {
                Mutation kind = Mutation.any(random);
                Sample mutated = kind.apply(sample, random, Set.of());
                if (mutated != null) {
                    HttpComparison used =
                            known ? comparison : new HttpComparison(ComparisonRules.defaults(), new IdentityMap(100));
                    recall.add(kind, sample, mutated, compare(used, sample, mutated));
                }
            }
        }
        return recall;
    }

    private static Verdict compare(HttpComparison comparison, Sample production, Sample debug) {
        Instant later = NOON.plusMillis(20);
        return comparison.compare(
                production.request(),
                production.reply(NOON, NOON.plusMillis(10)),
                debug.reply(later, later.plus(Duration.ofMillis(10))));
    }

    private void expectSame(Sample sample, HttpComparison comparison) {
        Verdict verdict = compare(comparison, sample, sample);
        if (verdict.kind() != VerdictKind.SAME) {
            throw new IllegalStateException(sample.name() + " isn't the same as itself: " + verdict);
        }
    }

    private void add(Mutation kind, Sample sample, Sample mutated, Verdict verdict) {
        boolean told = verdict.kind() == VerdictKind.DIFFERENT
                || (mutated.cutOff() && verdict.kind() == VerdictKind.NOT_COMPARED);
        int[] count = Objects.requireNonNull(counts.computeIfAbsent(kind, none -> new int[2]));
        count[0]++;
        count[1] += told ? 1 : 0;
        total++;
        reported += told ? 1 : 0;
        if (!told && misses.size() < MISSES) {
            Difference first = verdict.differences().isEmpty()
                    ? null
                    : verdict.differences().get(0);
            misses.add("%s, %s: %s%s"
                    .formatted(
                            sample.name(),
                            kind.words(),
                            verdict.kind(),
                            first == null
                                    ? ""
                                    : " (%s at %s: `%s` for `%s`)"
                                            .formatted(
                                                    first.noise(), first.path(), first.debug(), first.production())));
        }
    }

    /** How many mutations there were. */
    public int total() {
        return total;
    }

    /** Which share was reported, from 0 to 1. */
    public double share() {
        return total == 0 ? 0 : (double) reported / total;
    }

    /** How many kinds there were. */
    public int kinds() {
        return counts.size();
    }

    /** The first that weren't reported. */
    public List<String> misses() {
        return List.copyOf(misses);
    }

    /** A row for each kind: its name, how many, how many reported. */
    public List<String> rows() {
        List<String> rows = new ArrayList<>();
        counts.forEach((kind, count) -> rows.add("| %s | %,d | %,d |".formatted(kind.words(), count[0], count[1])));
        return rows;
    }
}
