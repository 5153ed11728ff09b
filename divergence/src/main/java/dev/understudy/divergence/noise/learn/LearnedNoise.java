package dev.understudy.divergence.noise.learn;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.content.Folding;
import dev.understudy.divergence.content.TextSpan;
import dev.understudy.divergence.noise.NoiseRules;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Learns per route and place what differs by nature, and overlooks it while it is of the kind that it was. For all
 * threads; guarded by {@code this}, for some map look-ups and, of a divergence, for what its differences look like.
 *
 * <p>Until it has been seen in {@value LearnedPath#SAMPLES} exchanges everything is reported. Nothing is learned from
 * an exchange in which anything differs that can't be noise, nor for a while after a write that diverged, nor while the
 * debug JVM is instrumented. At most 128 routes and 1000 places are known; nothing is learned of others.
 */
public final class LearnedNoise {
    private static final int ROUTES = 128;
    private static final int PLACES = 1000;
    /** So soon after a route's first exchange a place has to differ; later it is news. */
    private static final int BEGINNING = 20;
    /** For so many exchanges after a write that diverged, what differs may be a consequence. */
    private static final int CONSEQUENCES = 100;

    private static final Duration INSTRUMENTED = Duration.ofMinutes(1);
    private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");

    private final Map<String, Route> routes = new HashMap<>();
    private final NoiseRules rules;
    private final boolean on;
    private final int limit;
    private int places;
    private int outOfStep;
    private Instant instrumented = Instant.MIN;

    /**
     * One that knows nothing.
     *
     * @param rules are applied first, whether or not anything is learned
     * @param on whether it learns
     * @param limit how many real differences a comparison lists before it looks no further
     */
    public LearnedNoise(NoiseRules rules, boolean on, int limit) {
        this.rules = rules;
        this.on = on;
        this.limit = limit;
    }

    /**
     * The verdict after the rules, with what has been learned marked as {@link Noise#LEARNED}; EQUIVALENT if nothing
     * else differs.
     *
     * @param request method and target
     * @param compared with its values as they are, not masked
     */
    public Verdict apply(String request, Verdict compared, TextSpan production, TextSpan debug) {
        Verdict verdict = rules.apply(request, compared);
        if (!on || verdict.kind() == VerdictKind.NOT_COMPARED) {
            return verdict;
        }
        String name = Folding.route(request);
        synchronized (this) {
            Route route = route(name);
            if (route == null) {
                return verdict;
            }
            outOfStep -= outOfStep > 0 ? 1 : 0;
            if (verdict.kind() != VerdictKind.DIFFERENT) {
                route.compared++;
                learn(route, identities(request, route, verdict, production, debug));
                return verdict;
            }
            List<Difference> real = verdict.differences().stream()
                    .filter(difference -> difference.noise() == null)
                    .toList();
            List<Sighting> sightings = real.stream()
                    .map(difference -> Sighting.of(request, difference, production, debug))
                    .toList();
            return judge(name, request, route, verdict, sightings, production, debug);
        }
    }

    /** The debug JVM was instrumented then: nothing is learned until a minute later. */
    public synchronized void instrumented(Instant at) {
        instrumented = at.isAfter(instrumented) ? at : instrumented;
    }

    /**
     * The debug JVM is in step again, in a process of its own: what its counters stood at and how it was called is
     * forgotten, not that they are counters and names; and no earlier write has consequences any more. What was said
     * before has to be judged by then.
     */
    public synchronized void begunAnew() {
        outOfStep = 0;
        routes.values().forEach(route -> route.paths.values().forEach(LearnedPath::debugBegunAnew));
    }

    /** The rules that are applied first. */
    public NoiseRules rules() {
        return rules;
    }

    /** What has been learned, by route and path. */
    public synchronized List<Learned> read() {
        List<Learned> learned = new ArrayList<>();
        routes.forEach((name, route) -> route.paths.forEach((path, known) -> {
            if (known.isLearned()) {
                learned.add(known.read(name, path));
            }
        }));
        learned.sort(Comparator.comparing(Learned::route).thenComparing(Learned::path));
        return learned;
    }

    /** How many places are known, learned or not: at most 1000. */
    synchronized int places() {
        return places;
    }

    private @Nullable Route route(String name) {
        Route known = routes.get(name);
        if (known == null && routes.size() < ROUTES) {
            known = new Route();
            routes.put(name, known);
        }
        return known;
    }

    private Verdict judge(
            String name,
            String request,
            Route route,
            Verdict verdict,
            List<Sighting> sightings,
            TextSpan production,
            TextSpan debug) {
        Map<Difference, LearnedPath> overlooked = new LinkedHashMap<>();
        Map<Sighting, LearnedPath> candidates = new LinkedHashMap<>();
        Set<LearnedPath> broken = new LinkedHashSet<>();
        boolean matters = sightings.size() >= limit;
        for (Sighting sighting : sightings) {
            Difference difference = sighting.difference();
            boolean forbidden = rules.forbids(name, difference);
            NoiseKind looks = forbidden ? null : NoiseClassifier.of(sighting);
            LearnedPath path = path(route, Folding.place(difference.path()), looks);
            if (path == null) {
                matters = true;
            } else if (!forbidden && path.overlooks(sighting)) {
                overlooked.put(difference, path);
            } else if (path.isLearned()) {
                broken.add(path);
                matters = true;
            } else if (looks != null && path.mayLearn(looks)) {
                candidates.put(sighting, path);
            } else {
                path.refuse();
                matters = true;
            }
        }
        broken.forEach(path -> path.broken(route.compared));
        if (matters) {
            boolean write = !READS.contains(verb(sightings));
            outOfStep = write ? CONSEQUENCES : outOfStep;
        } else {
            route.compared++;
            candidates.putAll(identities(request, route, verdict, production, debug));
            learn(route, candidates);
        }
        return sightings.size() >= limit ? verdict : marked(verdict, overlooked, broken);
    }

    /** Places that hold pairs of made up values mostly, and now and then something that isn't recognized as one. */
    private Map<Sighting, LearnedPath> identities(
            String request, Route route, Verdict verdict, TextSpan production, TextSpan debug) {
        Map<Sighting, LearnedPath> seen = new LinkedHashMap<>();
        for (Difference difference : verdict.differences()) {
            if (difference.noise() == Noise.IDENTITY) {
                String place = Folding.place(difference.path());
                LearnedPath known = route.paths.get(place);
                if (known == null || known.isLearning()) {
                    Sighting sighting = Sighting.of(request, difference, production, debug);
                    NoiseKind looks = NoiseClassifier.of(sighting);
                    LearnedPath path = looks == null ? null : path(route, place, looks);
                    if (path != null && path.mayLearn(looks)) {
                        seen.put(sighting, path);
                    }
                }
            }
        }
        return seen;
    }

    private static String verb(List<Sighting> sightings) {
        String request = sightings.isEmpty() ? "GET" : sightings.get(0).request();
        int blank = request.indexOf(' ');
        return blank < 0 ? request : request.substring(0, blank);
    }

    private @Nullable LearnedPath path(Route route, String place, @Nullable NoiseKind looks) {
        LearnedPath known = route.paths.get(place);
        if (known == null && looks != null && places < PLACES) {
            places++;
            known = new LearnedPath(looks, 0, route.compared > BEGINNING && !looks.maySetIn());
            route.paths.put(place, known);
        }
        return known;
    }

    private void learn(Route route, Map<Sighting, LearnedPath> candidates) {
        boolean inStep = outOfStep == 0
                && candidates.keySet().stream()
                        .allMatch(seen -> seen.debugSpan().to().isAfter(instrumented.plus(INSTRUMENTED)));
        if (inStep) {
            Set<Object> pairs = new LinkedHashSet<>();
            candidates.forEach((seen, path) -> {
                if (pairs.add(List.of(path, seen.production(), seen.debug()))) { // of the items of a list, say
                    path.observe(seen);
                }
            });
            new LinkedHashSet<>(candidates.values()).forEach(path -> path.seen(route.compared));
        }
    }

    private static Verdict marked(Verdict verdict, Map<Difference, LearnedPath> overlooked, Set<LearnedPath> broken) {
        Set<LearnedPath> used = new LinkedHashSet<>(overlooked.values());
        used.removeAll(broken);
        used.forEach(LearnedPath::fired);
        if (overlooked.isEmpty()) {
            return verdict;
        }
        return verdict.overlooking(verdict.differences().stream()
                .map(difference -> overlooked.containsKey(difference) ? difference.asNoise(Noise.LEARNED) : difference)
                .toList());
    }

    private static final class Route {
        private final Map<String, LearnedPath> paths = new HashMap<>();
        private long compared;
    }
}
