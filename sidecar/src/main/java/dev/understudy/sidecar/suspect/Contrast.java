package dev.understudy.sidecar.suspect;

import dev.understudy.divergence.content.Folding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Compares failing exchanges with the nearest good ones: of the same route, if there are any, those whose whole-method
 * predicates are most alike. What a failing exchange has and its neighbours lack is a departure. Not for several
 * threads.
 */
final class Contrast {
    /** So many failing runs are compared, the latest ones. */
    static final int MOST_FAILING = 48;
    /** With so many good ones each. */
    static final int MOST_GOOD = 384;

    private static final int NEIGHBOURS = 3;
    /** So many methods of a failing run are the first that depart. */
    private static final int FIRST = 3;

    private final Methods methods;
    private final Map<String, Double> departs = new HashMap<>();
    private final Map<String, Double> first = new HashMap<>();
    private int compared;

    /** Compares {@code failing} runs with {@code good} ones. */
    Contrast(List<Run> failing, Collection<Run> good, Methods methods) {
        this.methods = methods;
        List<Trace> traces = good.stream()
                .filter(run -> run.whole)
                .map(run -> new Trace(run.alone, methods))
                .toList();
        Map<String, List<Trace>> byRoute = new HashMap<>();
        traces.forEach(trace ->
                byRoute.computeIfAbsent(trace.route, any -> new ArrayList<>()).add(trace));
        List<Run> some = failing.subList(Math.max(0, failing.size() - MOST_FAILING), failing.size());
        for (Run run : some) {
            Trace trace = new Trace(run.alone, methods);
            List<Trace> route = byRoute.getOrDefault(trace.route, List.of());
            List<Trace> near = nearest(trace, route.size() >= NEIGHBOURS ? route : traces);
            if (trace.run.held.length > 0 && !near.isEmpty()) {
                compared++;
                depart(trace, near);
            }
        }
    }

    /** In which share of the failing runs, 0 to 1, something of the method isn't so in the nearest good ones. */
    double departs(String method) {
        return compared == 0 ? 0 : departs.getOrDefault(method, 0.0) / compared;
    }

    /** In which share, 0 to 1, the method is among the first of which that is so. */
    double first(String method) {
        return compared == 0 ? 0 : first.getOrDefault(method, 0.0) / compared;
    }

    private static List<Trace> nearest(Trace trace, List<Trace> good) {
        int step = Math.max(1, good.size() / MOST_GOOD);
        List<Neighbour> all = new ArrayList<>();
        for (int i = 0; i < good.size(); i += step) {
            all.add(new Neighbour(good.get(i), trace.likeness(good.get(i))));
        }
        return all.stream()
                .sorted((one, other) -> Double.compare(other.likeness, one.likeness))
                .limit(NEIGHBOURS)
                .map(Neighbour::trace)
                .toList();
    }

    /** Each neighbour has a vote on each predicate of which it would have shown that it holds. */
    private void depart(Trace trace, List<Trace> near) {
        Map<String, Double> here = new HashMap<>();
        Set<String> earliest = new HashSet<>();
        for (int predicate : trace.run.held) {
            if (!methods.accuses(predicate) || methods.isTime(predicate)) {
                continue;
            }
            int lacking = 0;
            int able = 0;
            for (Trace one : near) {
                boolean held = one.held.get(predicate);
                boolean seen = !methods.isInside(predicate / Predicate.ROOM) || one.saw(predicate, methods);
                able += seen ? 1 : 0;
                lacking += seen && !held ? 1 : 0;
            }
            if (lacking > 0) {
                String method = methods.name(predicate / Predicate.ROOM);
                double share = (double) lacking / able;
                here.merge(method, share, Math::max);
                if (share > 0.5 && earliest.size() < FIRST && earliest.add(method)) {
                    first.merge(method, 1.0 / earliest.size(), Double::sum);
                }
            }
        }
        here.forEach((method, share) -> departs.merge(method, share, Double::sum));
    }

    private record Neighbour(Trace trace, double likeness) {}

    /** A run's predicates as sets. */
    private static final class Trace {
        private final Run run;
        private final String route;
        private final BitSet held = new BitSet();
        private final BitSet sites = new BitSet();
        /** Those about all of a method, sorted. */
        private final int[] whole;

        Trace(Run run, Methods methods) {
            this.run = run;
            this.route = run.ending.listener() + ' ' + Folding.route(run.ending.request());
            for (int predicate : run.held) {
                held.set(predicate);
                sites.set(methods.site(predicate / Predicate.ROOM));
            }
            whole = Arrays.stream(run.held).filter(methods::isOfWhole).sorted().toArray();
        }

        boolean saw(int predicate, Methods methods) {
            return sites.get(methods.site(predicate / Predicate.ROOM));
        }

        /** Jaccard's index, 0 to 1. */
        double likeness(Trace other) {
            int both = 0;
            int i = 0;
            int j = 0;
            while (i < whole.length && j < other.whole.length) {
                int order = Integer.compare(whole[i], other.whole[j]);
                both += order == 0 ? 1 : 0;
                i += order <= 0 ? 1 : 0;
                j += order >= 0 ? 1 : 0;
            }
            int either = whole.length + other.whole.length - both;
            return either == 0 ? 0 : (double) both / either;
        }
    }
}
