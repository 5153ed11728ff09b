package dev.understudy.sidecar.suspect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * Ranks predicates by importance, one bug after the other: what held in the exchanges that the first one explains is left
 * out before the next is sought (Liblit's iterative elimination).
 */
final class Ranking {
    static final int MOST = 10;
    private static final int MOST_ALIKE = 4;
    private static final double NEARLY_ALL = 0.8;
    private static final int FEWEST = 3;

    private final Tallies successes;
    private final IntFunction<String> methods;
    private final double scale;
    private final List<Suspect> suspects = new ArrayList<>();
    private List<Run> left;

    /**
     * @param failures runs that failed; each stands for {@code scale} of them
     * @param methods a method's name by its number
     */
    Ranking(List<Run> failures, double scale, Tallies successes, IntFunction<String> methods) {
        this.left = failures;
        this.scale = scale;
        this.successes = successes;
        this.methods = methods;
        while (suspects.size() < MOST && left.size() >= FEWEST && next()) {
            // one more
        }
    }

    /** The most suspicious first. */
    List<Suspect> suspects() {
        return suspects;
    }

    /** Failing exchanges in which none of them held. */
    int unexplained() {
        return (int) Math.round(left.size() * scale);
    }

    private boolean next() {
        Tallies failures = new Tallies();
        left.forEach(failures::add);
        List<Candidate> candidates = new ArrayList<>();
        for (int predicate = 0; predicate < failures.predicates(); predicate++) {
            if (failures.held(predicate) > 0 && !Predicate.is(Predicate.USUAL, predicate)) {
                Score score = score(failures, predicate);
                double importance = score.importance(scaled(failures.runs()));
                if (score.low() > 0 && importance > 0) {
                    candidates.add(new Candidate(predicate, score, importance, failures.order(predicate)));
                }
            }
        }
        if (candidates.isEmpty()) {
            return false;
        }
        // what is equally important is put in the order in which it came true: a cause comes before its effects
        candidates.sort(Comparator.comparingDouble((Candidate one) -> -Math.round(one.importance * 1e6))
                .thenComparingDouble(Candidate::order)
                .thenComparingInt(Candidate::predicate));
        Candidate first = candidates.get(0);
        List<Run> with = left.stream().filter(run -> run.has(first.predicate)).toList();
        suspects.add(suspect(first, with, alike(candidates, with)));
        left = left.stream().filter(run -> !run.has(first.predicate)).toList();
        return true;
    }

    private Score score(Tallies failures, int predicate) {
        int held = scaled(failures.held(predicate));
        int good = successes.held(predicate);
        return new Score(
                held,
                good,
                Math.max(held, scaled(failures.observed(predicate))),
                Math.max(good, successes.observed(predicate)));
    }

    private List<Suspect.Alike> alike(List<Candidate> candidates, List<Run> with) {
        Set<Integer> named = new HashSet<>();
        named.add(candidates.get(0).predicate / Predicate.ROOM);
        List<Suspect.Alike> alike = new ArrayList<>();
        for (Candidate other : candidates) {
            int method = other.predicate / Predicate.ROOM;
            if (alike.size() < MOST_ALIKE && !named.contains(method)) {
                long both =
                        with.stream().filter(run -> run.has(other.predicate)).count();
                if (both >= NEARLY_ALL * with.size()) {
                    named.add(method);
                    alike.add(new Suspect.Alike(methods.apply(method), words(other.predicate), other.importance));
                }
            }
        }
        return alike;
    }

    private Suspect suspect(Candidate found, List<Run> with, List<Suspect.Alike> alike) {
        Score score = found.score;
        return new Suspect(
                methods.apply(found.predicate / Predicate.ROOM),
                words(found.predicate),
                found.importance,
                score.increase(),
                score.low(),
                score.high(),
                score.failing(),
                score.successful(),
                score.failingObserved(),
                score.successfulObserved(),
                scaled(with.size()),
                alike,
                with.get(with.size() - 1).ending);
    }

    private int scaled(int runs) {
        return (int) Math.round(runs * scale);
    }

    private static String words(int predicate) {
        return Predicate.ALL[predicate % Predicate.ROOM].words;
    }

    private record Candidate(int predicate, Score score, double importance, double order) {}
}
