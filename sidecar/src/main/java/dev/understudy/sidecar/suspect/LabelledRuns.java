package dev.understudy.sidecar.suspect;

import dev.understudy.sidecar.label.ExchangeOutcome;
import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.label.LabelRule.Why;
import dev.understudy.sidecar.label.Labels;
import dev.understudy.sidecar.label.RuleHits;
import dev.understudy.sidecar.label.Times;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The observed exchanges that have ended since the rule holds by which they fail or don't, and the ranking by them.
 *
 * <p>Of failing ones a bounded sample is kept, of successful ones counts and a smaller sample. Not for several threads.
 */
final class LabelledRuns {
    static final int MOST_FAILURES = 2_048;

    final Labels.Edition labels;
    private final LabelRule rule;
    /** Where differing tells nothing. */
    private final LabelRule otherwise;

    private final Methods methods;
    private final Callers callers;
    private final Times times;
    private final Random random;
    private final Histories histories;
    private final Tallies successes;
    private final Sample someSuccesses;
    private final List<Run> failures = new ArrayList<>();
    private final RuleHits hits;
    private final Differing differing = new Differing();
    private final Map<Why, Integer> counts = new EnumMap<>(Why.class);
    private final Search search;
    private int failureRoom;
    private int failed;

    /**
     * None yet.
     *
     * @param methods what is known of the code, under whatever rule
     * @param times of all exchanges
     * @param random chooses which failing exchanges are kept when there are many
     */
    LabelledRuns(Labels.Edition labels, Methods methods, Callers callers, Times times, Random random) {
        this.labels = labels;
        this.rule = labels.rule();
        this.otherwise = rule.withoutDifferent();
        this.methods = methods;
        this.callers = callers;
        this.times = times;
        this.random = random;
        this.histories = new Histories(methods);
        this.successes = new Tallies(methods);
        this.someSuccesses = new Sample(new Random(random.nextLong()));
        this.hits = new RuleHits(rule.also());
        this.search = new Search(methods, rule.least());
    }

    /** One has ended, whether anything of it is observed or not. */
    void ended(ExchangeOutcome ending) {
        hits.add(ending);
        if (rule.different()) {
            differing.add(ending);
        }
    }

    /** Whether it fails by what is known now, without what an agent saw of it. */
    boolean fails(ExchangeOutcome ending) {
        return isFailing(judge(ending, false, false));
    }

    /** Whether others of its connection are known that came before. */
    boolean hasHistory(ExchangeOutcome ending) {
        return !histories.before(ending).isEmpty();
    }

    /** How many failed. */
    int failed() {
        return failed;
    }

    /** Agents look into more classes from now on. */
    void mark() {
        successes.mark(failed);
    }

    /**
     * Counts one that has ended and was observed.
     *
     * @param held what held in it
     * @param calls who called whom
     * @param closed of what nothing was seen
     */
    void count(ObservedBatch.Seen seen, int[] held, int[] calls, int[] closed, ExchangeOutcome ending) {
        Why why = judge(ending, seen.escaped, seen.logged);
        counts.merge(why, 1, Integer::sum);
        if (why == Why.DIFFERENT) {
            differing.failed(ending);
        }
        callers.add(calls);
        Run alone = new Run(held, calls, seen.whole, closed, ending, failed, why);
        Run run = ending.span().isEmpty() ? joined(alone) : alone;
        if (why == Why.NONE) {
            successes.add(run);
            someSuccesses.add(run);
        } else if (isFailing(why)) {
            failed++;
            keep(run);
        }
    }

    /**
     * What is known of them.
     *
     * @param unlabelled observed ones whose end nobody knows
     * @param waiting observed ones that haven't ended
     * @param unnamed observed ones that nobody could read
     */
    SuspectsReading read(int unlabelled, int waiting, int unnamed) {
        Ranking ranking = ranking();
        return new SuspectsReading(
                labels.number(),
                failed,
                successes.runs(),
                counts.getOrDefault(Why.UNKNOWN, 0),
                unlabelled,
                waiting,
                unnamed,
                Map.copyOf(counts),
                rule.least(),
                differing.tooOften(),
                hits.read(),
                ranking == null ? List.of() : ranking.suspects(),
                ranking == null ? failed : ranking.unexplained());
    }

    /** Where agents should look closer by them; nowhere as long as there are too few. */
    Focus focus() {
        Ranking ranking = ranking();
        if (ranking == null) {
            return new Focus(List.of(), List.of());
        }
        List<String> classes = search.next(telling(), failed, ranking.suspects(), ranking.telling());
        return new Focus(
                classes,
                ranking.suspects().stream()
                        .flatMap(suspect -> Stream.concat(
                                Stream.of(suspect.method()),
                                suspect.alike().stream().map(Suspect.Alike::method)))
                        .distinct()
                        .toList());
    }

    /** So many classes that take part in failing exchanges, those near to suspects first. */
    List<String> classes(int most) {
        Ranking ranking = ranking();
        return search.nearest(telling(), ranking == null ? List.of() : ranking.suspects()).stream()
                .limit(most)
                .toList();
    }

    private @Nullable Ranking ranking() {
        boolean enough = failed - differing.failedForNothing() >= rule.least() && successes.runs() >= rule.least();
        List<Run> telling = telling();
        return enough && !telling.isEmpty()
                ? new Ranking(
                        groups(telling),
                        (double) failed / failures.size(),
                        successes,
                        methods,
                        callers,
                        new Pairs(someSuccesses.runs(), successes.runs(), methods))
                : null;
    }

    /**
     * Those that fail by themselves first, if there are enough. That a reply differs says less: it may hold a time, or
     * a set in another order, in each exchange of a route, and would hide a rare failure behind itself.
     */
    private List<List<Run>> groups(List<Run> telling) {
        Map<Boolean, List<Run>> byItself =
                telling.stream().collect(Collectors.partitioningBy(run -> run.why != Why.DIFFERENT));
        int alone = byItself.getOrDefault(true, List.of()).size();
        return alone >= Math.max(Ranking.FEWEST, rule.least())
                ? List.of(byItself.get(true), byItself.get(false))
                : List.of(telling);
    }

    private List<Run> telling() {
        return failures.stream()
                .filter(run -> run.why != Why.DIFFERENT || !differing.tellsNothing(run.ending))
                .toList();
    }

    private Why judge(ExchangeOutcome ending, boolean escaped, boolean logged) {
        LabelRule ruling = differing.tellsNothing(ending) ? otherwise : rule;
        return ruling.judge(ending, escaped, logged, times);
    }

    private static boolean isFailing(Why why) {
        return why != Why.NONE && why != Why.UNKNOWN;
    }

    /**
     * With those before it on its connection. If it fails, they are what led to that, and no longer tell what goes
     * well.
     */
    private Run joined(Run alone) {
        if (isFailing(alone.why)) {
            histories.before(alone.ending).forEach(before -> {
                successes.remove(before);
                someSuccesses.remove(before);
            });
        }
        return histories.with(alone, alone.why != Why.NONE);
    }

    /** Each failing run is kept with the same probability, as long as they are of like sizes. */
    private void keep(Run run) {
        boolean room = failures.size() < MOST_FAILURES && failureRoom + run.size() <= Suspects.ROOM;
        if (room || failures.isEmpty()) {
            failures.add(run);
            failureRoom += run.size();
            return;
        }
        int place = random.nextInt(failed);
        if (place < failures.size()) {
            Run before = failures.get(place);
            int roomThen = failureRoom - before.size() + run.size();
            if (roomThen <= Suspects.ROOM) {
                failures.set(place, run);
                failureRoom = roomThen;
            }
        }
    }
}
