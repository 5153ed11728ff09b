package dev.understudy.sidecar.suspect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Ranks predicates by importance, one bug after the other: what held in the exchanges that the first one explains is left
 * out before the next is sought (Liblit's iterative elimination).
 */
final class Ranking {
    static final int MOST = 10;
    private static final int MOST_ALIKE = 4;
    private static final double NEARLY_ALL = 0.8;
    private static final int FEWEST = 3;

    /** What differs by less is equally important: the exchanges that tell of a method's inside are others than those that tell of all of it. */
    private static final double NEARLY = 0.01;

    private final Tallies successes;
    private final Methods methods;
    private final double scale;
    private final List<Suspect> suspects = new ArrayList<>();
    private final Set<String> telling = new HashSet<>();
    private List<Run> left;

    /**
     * @param failures runs that failed; each stands for {@code scale} of them
     * @param methods what the numbers stand for
     */
    Ranking(List<Run> failures, double scale, Tallies successes, Methods methods) {
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

    /** Classes with a branch or value that goes with failing, whether it stands among the suspects or not. */
    Set<String> telling() {
        return telling;
    }

    private boolean next() {
        Tallies failures = new Tallies(methods);
        left.forEach(failures::add);
        int[] after = left.stream().mapToInt(run -> run.after).sorted().toArray();
        List<Candidate> candidates = new ArrayList<>();
        for (int predicate = 0; predicate < failures.predicates(); predicate++) {
            if (failures.held(predicate) > 0 && methods.accuses(predicate)) {
                Score score = score(failures, predicate);
                double importance =
                        score.importance(scaled(able(after, predicate) - failures.notSeen(predicate / Predicate.ROOM)));
                if (score.low() > 0 && importance > 0) {
                    candidates.add(new Candidate(predicate, score, importance, failures.order(predicate)));
                }
            }
        }
        candidates.stream()
                .filter(one -> methods.isInside(one.method()))
                .forEach(one -> telling.add(methods.className(one.method())));
        if (candidates.isEmpty()) {
            return false;
        }
        // what is equally important is put in the order in which it came true: a cause comes before its effects
        double most =
                candidates.stream().mapToDouble(Candidate::importance).max().orElseThrow();
        candidates.sort(
                Comparator.comparingDouble((Candidate one) -> one.importance > most - NEARLY ? -2 : -one.importance)
                        .thenComparingDouble(Candidate::order)
                        .thenComparingInt(Candidate::predicate));
        Candidate first = plainest(candidates, most);
        List<Run> with = left.stream().filter(run -> run.has(first.predicate)).toList();
        suspects.add(suspect(first, with, alike(candidates, first, with)));
        left = left.stream().filter(run -> !run.has(first.predicate)).toList();
        return true;
    }

    /** The first; if that is about the inside of a method, what is said as well in fewer words of the whole method. */
    private Candidate plainest(List<Candidate> candidates, double most) {
        Candidate first = candidates.get(0);
        if (methods.isInside(first.method())) {
            for (Candidate other : candidates) {
                if (other.importance <= most - NEARLY) {
                    break;
                }
                if (!methods.isInside(other.method())
                        && methods.name(other.method()).equals(methods.name(first.method()))) {
                    return other;
                }
            }
        }
        return first;
    }

    /** Of the runs after so many failures, those in which the predicate could hold. */
    private int able(int[] after, int predicate) {
        int since = methods.since(predicate / Predicate.ROOM);
        int first = 0;
        while (first < after.length && after[first] < since) {
            first++;
        }
        return after.length - first;
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

    /**
     * Of a method one that is about all of it, and one about its inside. That a method is called is decided where that is done: who
     * called the first one comes before all others, unless it stands among them anyway.
     */
    private List<Suspect.Alike> alike(List<Candidate> candidates, Candidate first, List<Run> with) {
        Set<String> named = new HashSet<>();
        named.add(key(first));
        List<Suspect.Alike> alike = new ArrayList<>();
        int caller = methods.kind(first.predicate) == Predicate.CALLED ? caller(first.method(), with) : -1;
        if (caller >= 0 && named.add(methods.name(caller))) {
            alike.add(new Suspect.Alike(methods.name(caller), "called it", first.importance));
        }
        for (Candidate other : candidates) {
            if (alike.size() < MOST_ALIKE && !named.contains(key(other))) {
                long both =
                        with.stream().filter(run -> run.has(other.predicate)).count();
                if (both >= NEARLY_ALL * with.size()) {
                    named.add(key(other));
                    alike.add(new Suspect.Alike(
                            methods.name(other.method()), methods.words(other.predicate), other.importance));
                }
            }
        }
        return alike;
    }

    /** Who called the method in nearly all of these; -1 if nobody did. */
    private static int caller(int method, List<Run> with) {
        Map<Integer, Integer> callers = new HashMap<>();
        with.forEach(run -> callers.merge(run.caller(method), 1, Integer::sum));
        return callers.entrySet().stream()
                .filter(one -> one.getValue() >= NEARLY_ALL * with.size())
                .mapToInt(Map.Entry::getKey)
                .max()
                .orElse(-1);
    }

    private String key(Candidate one) {
        return methods.name(one.method()) + (methods.isInside(one.method()) ? ":" : "");
    }

    private Suspect suspect(Candidate found, List<Run> with, List<Suspect.Alike> alike) {
        Score score = found.score;
        return new Suspect(
                methods.name(found.method()),
                methods.words(found.predicate),
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

    private record Candidate(int predicate, Score score, double importance, double order) {
        int method() {
            return predicate / Predicate.ROOM;
        }
    }
}
