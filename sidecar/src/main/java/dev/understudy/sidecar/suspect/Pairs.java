package dev.understudy.sidecar.suspect;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds two predicates that go with failing only together: each holds in many good exchanges too, both in hardly any
 * (Arumuga Nainar, Chen, Rosin and Liblit: Statistical debugging using compound Boolean predicates, 2007).
 *
 * <p>Both are looked for in one exchange, without those before it on its connection, and of whole methods alone, since
 * it is known of good exchanges whether these hold. Not for several threads.
 */
final class Pairs {
    /** So many groups of predicates that hold in the same good exchanges are paired, the rarest ones. */
    private static final int MOST = 512;

    private static final int MOST_CHOSEN = 2;
    /** So seldom may any of all pairs be missing in good exchanges by chance. */
    private static final double CHANCE = 0.05;

    private static final double SAME = 0.95;
    private static final double NEARLY = 0.01;

    private final Methods methods;
    private final List<Run> good;
    private final int successful;

    /**
     * Pairs of what held in successful runs.
     *
     * @param some of them, each with the same probability
     * @param successful how many there are
     */
    Pairs(Collection<Run> some, int successful, Methods methods) {
        this.methods = methods;
        this.good = some.stream().filter(run -> run.whole).toList();
        this.successful = successful;
    }

    /**
     * Pairs that came true before {@code predicate} in the runs in which that held, and go with failing as well; each
     * has another later half.
     *
     * <p>The rarest first: what is called for many reasons is near to none of them. Of those that are as rare, the
     * earliest.
     *
     * @param score of {@code predicate}
     * @param predicates the smallest number that no predicate has
     */
    List<Pair> before(int predicate, Score score, List<Run> with, int predicates) {
        List<Run> runs = with.stream()
                .map(run -> run.alone)
                .filter(run -> run.has(predicate))
                .toList();
        if (runs.size() < SAME * with.size()) {
            return List.of();
        }
        List<Half> halves = halves(new Together(predicate, runs, predicates), runs.size(), predicates);
        double chance = CHANCE / Math.max(1, halves.size() * (halves.size() - 1) / 2.0);
        List<Pair> found = new ArrayList<>();
        for (Half later : halves) {
            for (Half earlier : halves) {
                if (earlier.order < later.order && isTelling(earlier, later, chance, score)) {
                    found.add(new Pair(earlier, later));
                }
            }
        }
        found.sort(Comparator.comparingDouble(Pair::rarity));
        List<Pair> chosen = new ArrayList<>();
        while (chosen.size() < MOST_CHOSEN && !found.isEmpty()) {
            double rare = found.get(0).rarity() * (1 + found.get(0).error());
            Pair next = found.stream()
                    .filter(pair -> pair.rarity() <= rare)
                    .min(Comparator.comparingDouble((Pair pair) -> pair.later.order)
                            .thenComparingDouble(pair -> pair.earlier.order))
                    .orElseThrow();
            chosen.add(next);
            found.removeIf(pair -> pair.later() == next.later());
        }
        return chosen;
    }

    /**
     * What held in nearly all of the runs before: of those that hold in the same good ones the earliest, since nothing
     * tells them apart.
     */
    private List<Half> halves(Together together, int runs, int predicates) {
        @Nullable BitSet[] in = new BitSet[predicates];
        for (int predicate = 0; predicate < predicates; predicate++) {
            boolean before = together.both(predicate) >= SAME * runs && together.order(predicate, 0) < 0;
            in[predicate] = before && methods.isOfWhole(predicate) ? new BitSet() : null;
        }
        for (int run = 0; run < good.size(); run++) {
            add(good.get(run), run, in);
        }
        Map<BitSet, Half> halves = new HashMap<>();
        for (int predicate = 0; predicate < predicates; predicate++) {
            BitSet runsWith = in[predicate];
            if (runsWith != null && !runsWith.isEmpty()) {
                double order = together.order(predicate, 0);
                halves.merge(
                        runsWith,
                        new Half(predicate, runsWith, runsWith.cardinality(), order),
                        (one, other) -> one.order <= other.order ? one : other);
            }
        }
        return halves.values().stream()
                .sorted(Comparator.comparingInt(Half::count).thenComparingDouble(Half::order))
                .limit(MOST)
                .toList();
    }

    /** Adds the run to those in which each held, or may have, since the method's calls weren't seen. */
    private static void add(Run run, int number, @Nullable BitSet[] in) {
        for (int predicate : run.held) {
            mark(predicate, number, in);
        }
        for (int method : run.closed) {
            for (int kind = 0; kind < Predicate.ROOM; kind++) {
                mark(method * Predicate.ROOM + kind, number, in);
            }
        }
    }

    private static void mark(int predicate, int number, @Nullable BitSet[] in) {
        BitSet runs = predicate < in.length ? in[predicate] : null;
        if (runs != null) {
            runs.set(number);
        }
    }

    /**
     * Whether both together are missing in good runs, not by chance, so that they go with failing as well as that score
     * does.
     */
    private boolean isTelling(Half one, Half other, double chance, Score score) {
        double expected = (double) one.count * other.count / good.size();
        if (atMost(0, expected) > chance) {
            return false;
        }
        BitSet both = (BitSet) one.in.clone();
        both.and(other.in);
        int together = both.cardinality();
        int scaled = (int) Math.round((double) together * successful / good.size());
        return new Score(score.failing(), scaled, 0, 0).isAsFailing(score, NEARLY)
                && atMost(together, expected) <= chance;
    }

    /** The probability of so many at most where so many are expected (Poisson's). */
    private static double atMost(int count, double expected) {
        double one = Math.exp(-expected);
        double sum = one;
        for (int i = 1; i <= count; i++) {
            one *= expected / i;
            sum += one;
        }
        return sum;
    }

    /**
     * One of two.
     *
     * @param in the good runs in which it holds
     * @param count how many these are
     * @param order by how many others it came true before what it goes with, below 0
     */
    private record Half(int predicate, BitSet in, int count, double order) {}

    /** Two that go with failing together. */
    static final class Pair {
        private final Half earlier;
        private final Half later;

        private Pair(Half earlier, Half later) {
            this.earlier = earlier;
            this.later = later;
        }

        int earlier() {
            return earlier.predicate;
        }

        /** With it they hold together. */
        int later() {
            return later.predicate;
        }

        private double rarity() {
            return (double) earlier.count * later.count;
        }

        /** The standard error of that, as a share of it. */
        private double error() {
            return Math.sqrt(1.0 / earlier.count + 1.0 / later.count);
        }
    }
}
