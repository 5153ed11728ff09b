package dev.understudy.it.divergence;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.compare.http.HttpComparison;
import dev.understudy.divergence.content.TextSpan;
import dev.understudy.divergence.identity.IdentityMap;
import dev.understudy.divergence.noise.NoiseRules;
import dev.understudy.divergence.noise.learn.Learned;
import dev.understudy.divergence.noise.learn.LearnedNoise;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Three shops are asked the same: production, a second production for {@link ThreeWay}, and debug, of which some
 * answers are changed so that they mean something else. Time is simulated: twenty requests a second.
 */
public final class Session {
    private static final int MISSES = 40;

    private final Random random;
    private final Shop production;
    private final Shop secondary;
    private final Shop debug;
    private final HttpComparison comparison;
    private final LearnedNoise noise;
    private final ThreeWay threeWay = new ThreeWay();
    private final List<Judged> judged = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    private final Map<Mutation, int[]> kinds = new EnumMap<>(Mutation.class);
    private Instant now = Instant.parse("2026-11-22T08:00:00Z");

    /** One request after the time of learning. */
    private record Judged(boolean changed, boolean reported, Set<String> fields) {}

    /** What came of it: of so many requests that were changed, or weren't, so many were reported. */
    public record Outcome(int changed, int found, int unchanged, int falseReports) {
        public double recall() {
            return changed == 0 ? 0 : (double) found / changed;
        }

        public double falseShare() {
            return unchanged == 0 ? 0 : (double) falseReports / unchanged;
        }
    }

    /** One with nothing learned yet. */
    public Session(long seed) {
        random = new Random(seed);
        production = new Shop(seed * 3, "app-1");
        secondary = new Shop(seed * 3 + 1, "app-2");
        debug = new Shop(seed * 3 + 2, "app-debug");
        ComparisonRules rules = ComparisonRules.defaults();
        comparison = new HttpComparison(rules, new IdentityMap(20_000));
        noise = new LearnedNoise(new NoiseRules(List.of(), rules.maxDifferences()), true, rules.maxDifferences());
    }

    /**
     * Asks so many times.
     *
     * @param learning for how many nothing is changed and nothing counted
     * @param changed which share of the others is changed, from 0 to 1
     */
    public void run(int requests, int learning, double changed) {
        for (int n = 0; n < requests; n++) {
            now = now.plusMillis(50);
            Instant later = now.plusMillis(1 + random.nextInt(40));
            Sample ours = production.answer(n, now.plusMillis(2));
            Sample second = secondary.answer(n, later.plusMillis(2));
            Sample theirs = debug.answer(n, later.plusMillis(2));
            Mutation kind = null;
            if (n >= learning && random.nextDouble() < changed) {
                kind = Mutation.any(random);
                Sample mutated = kind.apply(theirs, random, Shop.PLACES);
                theirs = mutated == null ? theirs : mutated;
                kind = mutated == null ? null : kind;
            }
            TextSpan span = new TextSpan(now, now.plusMillis(5));
            TextSpan debugSpan = new TextSpan(later, later.plusMillis(5));
            Verdict verdict = noise.apply(
                    ours.request(),
                    comparison.compare(
                            ours.request(),
                            ours.reply(span.from(), span.to()),
                            theirs.reply(debugSpan.from(), debugSpan.to())),
                    span,
                    debugSpan);
            Set<String> fields = threeWay.add(ours, second, theirs);
            if (n >= learning) {
                count(kind, ours, verdict, fields);
            }
        }
    }

    private void count(@Nullable Mutation kind, Sample ours, Verdict verdict, Set<String> fields) {
        boolean reported = verdict.kind() == VerdictKind.DIFFERENT
                || (kind == Mutation.CUT_OFF && verdict.kind() == VerdictKind.NOT_COMPARED);
        judged.add(new Judged(kind != null, reported, fields));
        if (kind != null) {
            int[] count = Objects.requireNonNull(kinds.computeIfAbsent(kind, none -> new int[2]));
            count[0]++;
            count[1] += reported ? 1 : 0;
        }
        if (reported != (kind != null) && wrong.size() < MISSES) {
            wrong.add((kind == null ? "false report" : "missed " + kind.words()) + ", " + ours.request() + ": "
                    + (verdict.differences().isEmpty()
                            ? "" + verdict.kind()
                            : verdict.differences().get(0)));
        }
    }

    /** Understudy's, from production and debug. */
    public Outcome understudy() {
        return outcome(judged.stream().map(Judged::reported).toList());
    }

    /** The method's that asks production twice, by its final counts. */
    public Outcome threeWay() {
        return outcome(
                judged.stream().map(one -> threeWay.reports(one.fields())).toList());
    }

    private Outcome outcome(List<Boolean> reported) {
        int changed = 0;
        int found = 0;
        int falseReports = 0;
        for (int i = 0; i < judged.size(); i++) {
            boolean told = reported.get(i);
            changed += judged.get(i).changed() ? 1 : 0;
            found += told && judged.get(i).changed() ? 1 : 0;
            falseReports += told && !judged.get(i).changed() ? 1 : 0;
        }
        return new Outcome(changed, found, judged.size() - changed, falseReports);
    }

    /** The first verdicts that were wrong. */
    public List<String> wrong() {
        return List.copyOf(wrong);
    }

    /** A row for each kind of change: its name, how many, how many reported. */
    public List<String> rows() {
        List<String> rows = new ArrayList<>();
        kinds.forEach((kind, count) -> rows.add("| %s | %,d | %,d |".formatted(kind.words(), count[0], count[1])));
        return rows;
    }

    /** What was learned. */
    public List<Learned> learned() {
        return noise.read();
    }

    /** How many kinds of noise the shops make. */
    public static List<String> kindsOfNoise() {
        return Shop.NOISE;
    }
}
