package dev.understudy.sidecar.suspect;

import dev.understudy.sidecar.label.LabelRule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Ranks predicates by importance, one bug after the other: what held in the exchanges that the first one explains is
 * left out before the next is sought (Liblit's iterative elimination). Of thousands of predicates some go with failing
 * by chance, the more so the fewer exchanges show them: as long as there is one of which chance can't be the reason
 * (Bonferroni's correction), it comes first.
 */
final class Ranking {
    static final int MOST = 10;
    private static final double NEARLY_ALL = 0.8;
    /** What holds in this share of the same exchanges holds in the same ones: an observation may be cut short. */
    private static final double SAME = 0.95;

    static final int FEWEST = 3;

    /**
     * Among all predicates that are looked at, one that goes with failing by chance alone has this probability at most
     * to stand before others.
     */
    private static final double CHANCE = 0.05;

    /**
     * What differs by less is equally important: the exchanges that tell of a method's inside are others than those
     * that tell of all of it.
     */
    private static final double NEARLY = 0.01;

    private final Tallies successes;
    private final Methods methods;
    private final Companions companions;
    private final double scale;
    private final List<Suspect> suspects = new ArrayList<>();
    private final Set<String> telling = new HashSet<>();
    /** What no suspect explains yet. */
    private final List<List<Run>> groups;
    /** Of the group that is ranked. */
    private List<Run> left = List.of();

    /**
     * @param failures groups of runs that failed, each ranked by itself and the first one first; each run stands for
     *     {@code scale} of them
     * @param methods what the numbers stand for
     * @param callers of all runs
     * @param pairs of what held in successful ones
     */
    Ranking(List<List<Run>> failures, double scale, Tallies successes, Methods methods, Callers callers, Pairs pairs) {
        this.scale = scale;
        this.successes = successes;
        this.methods = methods;
        this.companions = new Companions(successes, methods, callers, pairs);
        this.groups = new ArrayList<>(failures);
        for (int group = 0; group < groups.size(); group++) {
            left = groups.get(group);
            while (suspects.size() < MOST && left.size() >= FEWEST && next()) {
                left = groups.get(group);
            }
        }
    }

    /** The most suspicious first. */
    List<Suspect> suspects() {
        return suspects;
    }

    /** Failing exchanges in which none of them held. */
    int unexplained() {
        return scaled(groups.stream().mapToInt(List::size).sum());
    }

    /** Classes with a branch or value that goes with failing, whether it stands among the suspects or not. */
    Set<String> telling() {
        return telling;
    }

    private boolean next() {
        Tallies failures = new Tallies(methods);
        left.forEach(failures::add);
        Visibility visible = new Visibility(left, methods);
        List<Candidate> candidates = new ArrayList<>();
        int looked = 0;
        for (int predicate = 0; predicate < failures.predicates(); predicate++) {
            if (failures.held(predicate) >= FEWEST && methods.accuses(predicate)) {
                Score score = score(failures, predicate);
                double importance =
                        score.importance(scaled(visible.of(predicate) - failures.notSeen(predicate / Predicate.ROOM)));
                looked++;
                if (score.low() > 0 && importance > 0) {
                    candidates.add(new Candidate(predicate, score, importance, failures.order(predicate)));
                }
            }
        }
        double rare = CHANCE / looked;
        candidates.stream()
                .filter(one -> methods.isInside(one.method()))
                .forEach(one -> telling.add(methods.className(one.method())));
        if (candidates.isEmpty()) {
            return false;
        }
        Candidate best = candidates.stream()
                .max(Comparator.comparing((Candidate one) -> one.score().chance() < rare)
                        .thenComparingDouble(Candidate::importance))
                .orElseThrow();
        double likeliest = best.score().chance() < rare ? rare : 1;
        List<Candidate> asBest = asGood(candidates, best, likeliest, failures.predicates());
        Candidate earliest = asBest.get(0);
        List<Candidate> asGood = asGood(candidates, earliest, likeliest, failures.predicates()).stream()
                .filter(one -> !methods.isValue(one.method()) || asBest.contains(one))
                .toList();
        Candidate first = plainest(asGood);
        candidates.removeAll(Set.copyOf(asGood));
        candidates.sort(Comparator.comparingDouble(Candidate::importance)
                .reversed()
                .thenComparingDouble(Candidate::order)
                .thenComparingInt(Candidate::predicate));
        candidates.addAll(0, asGood);
        List<Run> with = left.stream().filter(run -> run.has(first.predicate())).toList();
        suspects.add(
                blamed(suspect(first, with, companions.of(first, candidates, with, failures.predicates())), first));
        List<Run> ranked = left;
        groups.replaceAll(group -> group.stream()
                .filter(run -> !run.has(first.predicate()) && !(group == ranked && run.has(best.predicate())))
                .toList());
        return true;
    }

    /**
     * Those that are as important as the best, and no likelier by chance than {@code chance}, or hold in the same
     * exchanges, good and bad; the latter may be less important only because fewer others show whether they hold, as it
     * is inside of a method that few exchanges come to. They are put in the order in which they came true: a cause
     * comes before its effects. Of the first of them it is asked in its turn which hold in the same; a value must be as
     * good as the best itself. And it comes first only near to where ways part: far from there it is more likely what
     * the request brings along, its length, say. Where exchanges fail by the time that they take, what takes it comes
     * first, though it may do so in some good ones too: calls are held up for other reasons.
     */
    private List<Candidate> asGood(List<Candidate> candidates, Candidate best, double chance, int predicates) {
        List<Run> with = left.stream().filter(run -> run.has(best.predicate())).toList();
        Together together = new Together(best.predicate(), with, predicates);
        Visibility visible = new Visibility(with, methods);
        boolean slow =
                with.stream().filter(run -> run.why == LabelRule.Why.SLOW).count() >= NEARLY_ALL * with.size();
        java.util.function.Predicate<Candidate> takesTime =
                one -> slow && methods.kind(one.predicate()) == Predicate.SLOW;
        List<Candidate> asGood = candidates.stream()
                .filter(one -> (one.importance() > best.importance() - NEARLY
                                && one.score().chance() <= chance)
                        || ((isAsFailing(one, best) || takesTime.test(one))
                                && together.both(one.predicate()) >= SAME * visible.of(one.predicate())))
                .sorted(Comparator.comparingDouble(
                                (Candidate one) -> together.order(one.predicate(), one.order() - best.order()))
                        .thenComparingInt(Candidate::predicate))
                .toList();
        Set<String> near = asGood.stream()
                .filter(one -> !methods.isValue(one.method()))
                .findFirst()
                .map(parting -> around(parting.method(), with))
                .orElse(Set.of());
        Comparator<Candidate> timeFirst = Comparator.comparing(one -> !takesTime.test(one));
        return asGood.stream()
                .sorted(timeFirst.thenComparing(one -> !near.isEmpty()
                        && methods.isValue(one.method())
                        && !near.contains(Methods.outermost(methods.className(one.method())))))
                .toList();
    }

    /**
     * Whether it goes with failing as well as the best one, in all exchanges or in those in which the best one could
     * hold.
     */
    private boolean isAsFailing(Candidate one, Candidate best) {
        int since = methods.since(best.method());
        int failing = (int) left.stream()
                .filter(run -> run.after >= since && run.has(one.predicate()))
                .count();
        Score then = new Score(scaled(failing), successes.heldSince(since, one.predicate()), 0, 0);
        return one.score().isAsFailing(best.score(), NEARLY)
                || (since > methods.since(one.method()) && then.isAsFailing(best.score(), NEARLY));
    }

    /** The classes, of nested ones the outermost, of a method and of those through which it was called. */
    private Set<String> around(int method, List<Run> with) {
        return Stream.concat(Stream.of(method), companions.callers(method, with).stream())
                .map(one -> Methods.outermost(methods.className(one)))
                .collect(Collectors.toSet());
    }

    /** The first; if that is about the inside of a method, what is said as well in fewer words of the whole method. */
    private Candidate plainest(List<Candidate> asGood) {
        Candidate first = asGood.get(0);
        return asGood.stream()
                .filter(other -> methods.isInside(first.method())
                        && !methods.isInside(other.method())
                        && methods.name(other.method()).equals(methods.name(first.method())))
                .findFirst()
                .orElse(first);
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

    /** Who throws for what a field holds only says so: who should have set it otherwise is suspected instead. */
    private Suspect blamed(Suspect found, Candidate first) {
        boolean threw = methods.kind(first.predicate()) == Predicate.THREW;
        return threw && !found.alike().isEmpty() && found.alike().get(0).sets() ? found.blamedOnSetter() : found;
    }

    private Suspect suspect(Candidate found, List<Run> with, List<Suspect.Alike> alike) {
        Score score = found.score();
        return new Suspect(
                methods.name(found.method()),
                methods.words(found.predicate()),
                methods.line(found.predicate()),
                found.importance(),
                score.increase(),
                score.low(),
                score.high(),
                score.failing(),
                score.successful(),
                score.failingObserved(),
                score.successfulObserved(),
                scaled((int) groups.stream()
                        .flatMap(List::stream)
                        .filter(run -> run.has(found.predicate()))
                        .count()),
                alike,
                companions.context(found, with, alike),
                with.get(with.size() - 1).ending);
    }

    private int scaled(int runs) {
        return (int) Math.round(runs * scale);
    }
}
