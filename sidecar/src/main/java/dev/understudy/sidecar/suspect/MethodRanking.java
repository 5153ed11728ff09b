package dev.understudy.sidecar.suspect;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Ranks methods, each once, by the weighted sum of what several ways of looking at them say: the list by importance and
 * what stands behind each of its entries, Ochiai, DStar, pairs, the contrast with the nearest good exchanges and what
 * earlier rankings said. Not for several threads.
 */
final class MethodRanking {
    /** So many methods are described. */
    static final int MOST = 10;

    /** So many methods of each way are looked at. */
    private static final int MOST_OF_EACH = 40;

    private static final int MOST_CALLED = 256;
    private static final int MOST_FORKS = 3;
    private static final int MOST_CLUES = 4;
    private static final int MOST_CALLERS = 3;
    private static final double NEARLY_ALL = 0.8;
    /** What runs in this share of good exchanges, and shows nothing else, is context. */
    private static final double USUAL = 0.9;

    /** Names of what reports an error: constructors of exceptions, loggers, error pages and handlers. */
    private static final Pattern EFFECT = Pattern.compile(
            "(?:Exception|Error|Throwable)(?:\\$\\w+)?#|\\bLog(?:ger)?\\b|Logger(?:\\$\\w+)?#|Logging|(?i:error(?:page"
                    + "|report|handler|response|valve)|exceptionhandler|senderror|handleerror|handleexception"
                    + "|printstacktrace|fillinstacktrace)");

    private final List<Run> failures;
    /** Whose calls are looked at. */
    private final List<Run> latest;

    private final double scale;
    private final Methods methods;
    private final Spectrum spectrum;
    private final Contrast contrast;
    private final JointPairs joint;
    private final Map<Integer, Map<Integer, Integer>> callers = new HashMap<>();
    private final Map<String, Double> decides = new HashMap<>();
    private final Map<String, Integer> listed = new LinkedHashMap<>();
    private final Map<String, List<MethodSuspect.Clue>> behind = new HashMap<>();
    private final Map<String, Suspect> leaders = new HashMap<>();

    /**
     * Looks at them in all ways.
     *
     * @param groups the list by importance
     * @param good some successful runs
     */
    MethodRanking(
            List<Run> failures,
            double scale,
            Tallies successes,
            Collection<Run> good,
            Methods methods,
            List<Suspect> groups) {
        this.failures = failures;
        this.latest = failures.subList(Math.max(0, failures.size() - MOST_CALLED), failures.size());
        this.scale = scale;
        this.methods = methods;
        this.spectrum = new Spectrum(failures, scale, successes, methods);
        this.contrast = new Contrast(failures, good, methods);
        this.joint = new JointPairs(
                failures, good, (double) successes.runs() / Math.max(1, failures.size() * scale), methods);
        list(groups);
        countCallers();
    }

    private void list(List<Suspect> groups) {
        for (Suspect group : groups) {
            listed.putIfAbsent(group.method(), listed.size() + 1);
            leaders.putIfAbsent(group.method(), group);
            for (Suspect.Alike alike : group.alike()) {
                listed.putIfAbsent(alike.method(), listed.size() + 1);
                leaders.putIfAbsent(alike.method(), group);
                behind.computeIfAbsent(alike.method(), any -> new ArrayList<>())
                        .add(new MethodSuspect.Clue(alike.predicate(), alike.importance()));
            }
        }
    }

    private void countCallers() {
        for (Run run : latest) {
            for (int i = 0; i + 1 < run.calls.length; i += 2) {
                callers.computeIfAbsent(run.calls[i], any -> new HashMap<>()).merge(run.calls[i + 1], 1, Integer::sum);
            }
        }
        BitSet exclusive = exclusive();
        latest.forEach(run -> findForks(run, exclusive));
    }

    /** Methods that failing exchanges call far more often than good ones, but for those that report errors. */
    private BitSet exclusive() {
        Map<Integer, Double> shares = new HashMap<>();
        for (int method : callers.keySet()) {
            if (!isEffect(methods.name(method))) {
                shares.put(method, spectrum.called(method) * (1 - spectrum.usual(method)));
            }
        }
        double most = shares.values().stream().mapToDouble(share -> share).max().orElse(0);
        BitSet exclusive = new BitSet();
        shares.forEach((method, share) -> exclusive.set(method, share > 0 && share >= most * NEARLY_ALL));
        return exclusive;
    }

    /** The first callers, in the run's order, that go where good exchanges don't: there ways part. */
    private void findForks(Run run, BitSet exclusive) {
        Set<String> forks = new LinkedHashSet<>();
        for (int predicate : run.held) {
            int method = predicate / Predicate.ROOM;
            if (exclusive.get(method) && methods.kind(predicate) == Predicate.CALLED) {
                int caller = run.caller(method);
                if (caller >= 0 && forks.add(methods.name(caller))) {
                    decides.merge(methods.name(caller), 1.0 / forks.size() / latest.size(), Double::sum);
                }
                if (forks.size() == MOST_FORKS) {
                    return;
                }
            }
        }
    }

    /** All methods that are looked at, the most suspicious first. */
    List<Scored> scored(RankingWeights weights, Hypotheses kept) {
        List<Scored> all = new ArrayList<>();
        for (String method : candidates(kept)) {
            MethodEvidence evidence = evidence(method, kept.of(method));
            all.add(new Scored(method, weights.score(evidence), evidence));
        }
        all.sort(Comparator.comparingDouble((Scored one) -> -one.score).thenComparing(Scored::method));
        return all;
    }

    /** The first of them with what speaks for each. */
    List<MethodSuspect> described(List<Scored> scored) {
        List<MethodSuspect> described = new ArrayList<>();
        for (Scored one : scored) {
            Suspect suspect = described.size() < MOST ? suspect(one.method) : null;
            if (suspect != null) {
                described.add(new MethodSuspect(
                        suspect, one.score, one.evidence, clues(one.method, suspect), context(one.method)));
            }
        }
        return described;
    }

    private Set<String> candidates(Hypotheses kept) {
        Set<String> candidates = new LinkedHashSet<>(listed.keySet());
        List<String> best = spectrum.best();
        candidates.addAll(best.subList(0, Math.min(MOST_OF_EACH, best.size())));
        candidates.addAll(kept.methods());
        decides.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST_OF_EACH)
                .forEach(one -> candidates.add(one.getKey()));
        return candidates;
    }

    private MethodEvidence evidence(String method, double kept) {
        List<Spectrum.Point> points = spectrum.of(method);
        Spectrum.Point best = points.isEmpty() ? null : points.get(0);
        JointPairs.Joint pair = joint.of(method);
        double own = best == null ? 0 : best.ochiai();
        int number = methods.of(method);
        return new MethodEvidence(
                own,
                points.stream().mapToDouble(Spectrum.Point::dstar).max().orElse(0),
                points.stream().mapToDouble(Spectrum.Point::importance).max().orElse(0),
                contrast.departs(method),
                contrast.first(method),
                pair == null ? 0 : pair.ochiai(),
                decides.getOrDefault(method, 0.0),
                listed.containsKey(method) ? 1.0 / listed.get(method) : 0,
                best == null ? 0 : Math.max(0, 1 - best.order()),
                best != null && methods.isInside(best.predicate() / Predicate.ROOM) ? 1 : 0,
                number < 0 ? 0 : spectrum.usual(number) * (1 - own),
                isEffect(method) ? 1 : 0,
                points.stream().anyMatch(point -> point.score().low() > 0) || points.isEmpty() ? kept : 0);
    }

    static boolean isEffect(String method) {
        return EFFECT.matcher(method.replaceAll("\\(.*", "")).find();
    }

    /**
     * The method with its best predicate: as it stands in the list by importance, else its own that goes with failing,
     * else what puts it behind another one; null if there is nothing to say of it.
     */
    private @Nullable Suspect suspect(String method) {
        Suspect leader = leaders.get(method);
        if (leader != null && leader.method().equals(method)) {
            return leader;
        }
        for (Spectrum.Point point : spectrum.of(method)) {
            if (point.score().low() > 0) {
                return of(method, point);
            }
        }
        if (leader != null) {
            String words = behind.getOrDefault(method, List.of()).stream()
                    .map(MethodSuspect.Clue::words)
                    .findFirst()
                    .orElse(leader.predicate());
            return leader.as(method, words);
        }
        List<Spectrum.Point> points = spectrum.of(method);
        return points.isEmpty() ? null : of(method, points.get(0));
    }

    private Suspect of(String method, Spectrum.Point point) {
        Score score = point.score();
        ExchangeOutcome example = failures.get(failures.size() - 1).ending;
        int explains = 0;
        for (Run run : failures) {
            if (run.has(point.predicate())) {
                example = run.ending;
                explains++;
            }
        }
        return new Suspect(
                method,
                methods.words(point.predicate()),
                point.importance(),
                score.increase(),
                score.low(),
                score.high(),
                score.failing(),
                score.successful(),
                score.failingObserved(),
                score.successfulObserved(),
                (int) Math.round(explains * scale),
                List.of(),
                example);
    }

    private List<MethodSuspect.Clue> clues(String method, Suspect suspect) {
        List<MethodSuspect.Clue> clues = new ArrayList<>();
        JointPairs.Joint pair = joint.of(method);
        if (pair != null) {
            clues.add(new MethodSuspect.Clue(
                    methods.words(pair.later()) + ", after " + methods.name(pair.earlier() / Predicate.ROOM) + " "
                            + methods.words(pair.earlier()),
                    pair.ochiai()));
        }
        for (Spectrum.Point point : spectrum.of(method)) {
            String words = methods.words(point.predicate());
            if (point.score().low() > 0 && !words.equals(suspect.predicate())) {
                clues.add(new MethodSuspect.Clue(words, point.importance()));
            }
        }
        for (MethodSuspect.Clue clue : behind.getOrDefault(method, List.of())) {
            if (!clue.words().equals(suspect.predicate())
                    && clues.stream().noneMatch(one -> one.words().equals(clue.words()))) {
                clues.add(clue);
            }
        }
        return clues.subList(0, Math.min(MOST_CLUES, clues.size()));
    }

    private List<String> context(String method) {
        List<String> context = new ArrayList<>();
        int at = methods.of(method);
        while (at >= 0 && context.size() < MOST_CALLERS) {
            int caller = caller(at);
            String name = caller < 0 ? "" : methods.name(caller);
            if (caller < 0 || caller == at || context.contains(name)) {
                break;
            }
            if (spectrum.usual(caller) >= USUAL) {
                context.add(name);
            }
            at = caller;
        }
        return context;
    }

    /** Who called the method in nearly all failing runs; -1 if nobody did. */
    private int caller(int method) {
        return callers.getOrDefault(method, Map.of()).entrySet().stream()
                .filter(one -> one.getValue() >= NEARLY_ALL * latest.size())
                .mapToInt(Map.Entry::getKey)
                .max()
                .orElse(-1);
    }

    /** A method, and how much speaks for it. */
    record Scored(String method, double score, MethodEvidence evidence) {}
}
