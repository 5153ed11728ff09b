package dev.understudy.sidecar.suspect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is listed behind a suspect: what led to failing only together, what decided its way, who called it, and what
 * held in the same exchanges.
 */
final class Companions {
    private static final int MOST_ALIKE = 4;
    /**
     * So many calls out from a suspect, fewer if it is known what decided it: where a call is decided is seldom further
     * away, and a list is read.
     */
    private static final int CALLERS = 4;

    private static final int MOST_DECIDERS = 3;

    /** What runs in this share of the good exchanges leads to all that is done there, and to no failure. */
    private static final double EVERYWHERE = 0.9;

    private static final double NEARLY_ALL = 0.8;

    private static final String RETURNED = "returned what decided it";

    private final Tallies successes;
    private final Methods methods;
    private final Callers callers;
    private final Pairs pairs;

    /**
     * @param callers of all runs
     * @param pairs of what held in successful ones
     */
    Companions(Tallies successes, Methods methods, Callers callers, Pairs pairs) {
        this.successes = successes;
        this.methods = methods;
        this.callers = callers;
        this.pairs = pairs;
    }

    /**
     * The likeliest first: what held together only in failing ones; what decided which way the suspect went, and before
     * all who set a field for that; who called it, since what is wrong there is often decided further out; what can't
     * be told apart from it; and who called those that called it. Of a method stands there one that is about all of it,
     * and one about its inside.
     *
     * @param candidates all that go with failing, in the order in which they are listed
     * @param with runs in which the suspect held
     * @param predicates the smallest number that no predicate has
     */
    List<Suspect.Alike> of(Candidate first, List<Candidate> candidates, List<Run> with, int predicates) {
        Visibility visible = new Visibility(with, methods);
        Together held = new Together(first.predicate(), with, predicates);
        List<Candidate> company = candidates.stream()
                .filter(one -> goesWith(held.both(one.predicate()), visible.of(one.predicate())))
                .toList();
        Set<String> named = new HashSet<>(Set.of(key(first)));
        List<Suspect.Alike> together = together(first, company, with, predicates);
        together.forEach(one -> named.add(one.method()));
        List<Suspect.Alike> all = new ArrayList<>();
        deciders(first, company).forEach((name, words) -> {
            if (all.size() < MOST_DECIDERS && named.add(name)) {
                all.add(new Suspect.Alike(name, words, 0, first.importance(), !words.equals(RETURNED)));
            }
        });
        List<Suspect.Alike> outwards = outwards(first, with, CALLERS - all.size(), named);
        all.addAll(outwards.subList(0, Math.min(1, outwards.size())));
        all.addAll(same(company, named));
        all.addAll(outwards.subList(Math.min(1, outwards.size()), outwards.size()));
        all.addAll(!all.isEmpty() && all.get(0).sets() ? 1 : 0, together);
        return all;
    }

    /** Those by way of which it was called that say nothing, since they run in nearly every good exchange too. */
    List<String> context(Candidate first, List<Run> with, List<Suspect.Alike> listed) {
        return callers(first.method(), with).stream()
                .filter(this::runsEverywhere)
                .map(methods::name)
                .filter(name -> listed.stream().noneMatch(one -> one.method().equals(name)))
                .toList();
    }

    /**
     * Who called the method, or the one that it is inside of, in nearly all of these, and who that one, as far as that
     * is known.
     */
    List<Integer> callers(int inside, List<Run> with) {
        int method = methods.whole(inside);
        List<Integer> found = new ArrayList<>();
        int caller = caller(method, with);
        while (caller >= 0 && caller != method && !found.contains(caller) && found.size() < CALLERS) {
            found.add(caller);
            caller = caller(caller, with);
        }
        return found;
    }

    /** Whether what held in so many runs did so in nearly all of those in which it could. */
    private static boolean goesWith(int held, int able) {
        return able > 0 && held >= NEARLY_ALL * able;
    }

    /**
     * The later ones of two predicates that go with failing only together, and who called these. Both came true before
     * the failure did: an exception, or else the suspect itself.
     */
    private List<Suspect.Alike> together(Candidate first, List<Candidate> company, List<Run> with, int predicates) {
        Candidate failure = company.stream()
                .filter(one -> methods.kind(one.predicate()) == Predicate.THREW)
                .min(Comparator.comparingDouble(Candidate::order))
                .orElse(first);
        List<Suspect.Alike> together = new ArrayList<>();
        for (Pairs.Pair pair : pairs.before(failure.predicate(), failure.score(), with, predicates)) {
            int later = pair.later() / Predicate.ROOM;
            together.add(new Suspect.Alike(
                    methods.name(later),
                    methods.words(pair.later()) + ", after " + methods.name(pair.earlier() / Predicate.ROOM) + " "
                            + methods.words(pair.earlier()),
                    methods.line(pair.later()),
                    first.importance(),
                    false));
            int caller = caller(later, with);
            boolean known = caller == first.method() || caller == failure.method();
            if (caller >= 0 && !known && !runsEverywhere(caller)) {
                together.add(
                        new Suspect.Alike(methods.name(caller), "called " + methods.name(later), first.importance()));
            }
        }
        return together;
    }

    /**
     * The methods that decided the ways that the first one's method took in nearly all of these, with words for how;
     * the nearest first.
     */
    private Map<String, String> deciders(Candidate first, List<Candidate> company) {
        Map<String, String> deciders = new LinkedHashMap<>();
        for (Candidate one : company) {
            Branch branch = methods.branch(one.method());
            if (branch != null && branch.method().equals(methods.name(first.method()))) {
                branch.asked().forEach(name -> deciders.putIfAbsent(name, RETURNED));
                for (String setter : branch.setters()) {
                    int caller = callers.of(methods.of(setter));
                    if (caller >= 0) {
                        deciders.putIfAbsent(methods.name(caller), "calls what sets the field that decided it");
                    }
                    deciders.putIfAbsent(setter, "sets the field that decided it");
                }
            }
        }
        return deciders;
    }

    private List<Suspect.Alike> outwards(Candidate first, List<Run> with, int most, Set<String> named) {
        List<Suspect.Alike> outwards = new ArrayList<>();
        List<Integer> found = callers(first.method(), with);
        for (int i = 0; i < Math.min(found.size(), most); i++) {
            String name = methods.name(found.get(i));
            if (!runsEverywhere(found.get(i)) && named.add(name)) {
                String words = i == 0 ? "called it" : "called it, " + (i + 1) + " calls out";
                outwards.add(new Suspect.Alike(name, words, first.importance()));
            }
        }
        return outwards;
    }

    private List<Suspect.Alike> same(List<Candidate> company, Set<String> named) {
        List<Suspect.Alike> same = new ArrayList<>();
        for (Candidate one : company) {
            if (same.size() < MOST_ALIKE && named.add(key(one))) {
                same.add(new Suspect.Alike(
                        methods.name(one.method()),
                        methods.words(one.predicate()),
                        methods.line(one.predicate()),
                        one.importance(),
                        false));
            }
        }
        return same;
    }

    private boolean runsEverywhere(int method) {
        int called = method * Predicate.ROOM; // the first kind
        return successes.held(called) >= EVERYWHERE * Math.max(1, successes.observed(called));
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
}
