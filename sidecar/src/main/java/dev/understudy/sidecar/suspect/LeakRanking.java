package dev.understudy.sidecar.suspect;

import dev.understudy.sidecar.suspect.Leak.Site;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How much stays by which method.
 *
 * <p>What a method makes or uses itself counts fully, and half as much with each call that lies between. So what leads
 * to several places stands before each of them. A call by an object that stays itself isn't counted: what these do
 * among themselves leads to whoever called one of them from outside. Of the objects of which it is known who used them
 * last, half counts for those, and half for those that made them; what the constructor of an object that stays has made
 * is a part of that, and goes the same way unless its own uses are known.
 */
final class LeakRanking {
    /** So few are no evidence. */
    private static final int FEWEST = 3;

    private static final int MOST = 10;
    /** What counts for the last users of objects; the rest is for their makers. */
    private static final double USED = 0.5;

    private static final String CONSTRUCTOR = "#<init>";

    private final Map<String, Set<String>> staying;
    private final Map<String, List<Site>> uses = new HashMap<>();
    private final Map<String, Under> methods = new LinkedHashMap<>();

    LeakRanking(List<Site> sites, Map<String, Set<String>> staying) {
        this.staying = staying;
        List<Site> evident =
                sites.stream().filter(site -> site.survived() >= FEWEST).toList();
        evident.stream()
                .filter(Site::used)
                .forEach(use -> uses.computeIfAbsent(key(use.agent(), use.className()), any -> new ArrayList<>())
                        .add(use));
        for (Site site : evident) {
            if (site.used()) {
                spread(site, site.className(), USED * site.perThousand());
            } else {
                made(site);
            }
        }
    }

    private static String key(String agent, String name) {
        return agent + '\n' + name;
    }

    private void made(Site site) {
        List<Site> own = uses.getOrDefault(key(site.agent(), site.className()), List.of());
        List<Site> its = own.isEmpty() ? usesOfWhole(site) : own;
        double known = Math.min(1, its.stream().mapToDouble(Site::part).sum());
        spread(site, site.className(), (1 - known * USED) * site.perThousand());
        if (own.isEmpty()) {
            its.forEach(use -> spread(use, site.className(), USED * use.part() * site.perThousand()));
        }
    }

    /** Those of the object in whose constructor it was made. */
    private List<Site> usesOfWhole(Site part) {
        List<Site> found = List.of();
        for (String method : part.methods()) {
            if (!method.endsWith(CONSTRUCTOR) || !stays(part.agent(), method)) {
                break;
            }
            found = uses.getOrDefault(key(part.agent(), className(method)), found);
        }
        return found;
    }

    private void spread(Site site, String className, double weight) {
        int calls = 0;
        for (String method : site.methods()) {
            methods.computeIfAbsent(key(site.agent(), method), any -> new Under(method))
                    .add(site, className, weight / (1 << calls), calls);
            calls += stays(site.agent(), method) ? 0 : 1;
        }
    }

    private boolean stays(String agent, String method) {
        return staying.getOrDefault(agent, Set.of()).contains(className(method));
    }

    private static String className(String method) {
        return method.substring(0, Math.max(0, method.indexOf('#')));
    }

    List<Leak> ranked() {
        return methods.values().stream()
                .sorted(Comparator.<Under>comparingDouble(under -> -under.weight)
                        .thenComparingInt(under -> under.fewestCalls))
                .limit(MOST)
                .map(Under::leak)
                .toList();
    }

    /** What stays by one method. */
    private static final class Under {
        private final String method;
        private final Set<String> classes = new LinkedHashSet<>();
        private final Map<Site, Double> sites = new LinkedHashMap<>();
        private double weight;
        private int fewestCalls = Integer.MAX_VALUE;

        Under(String method) {
            this.method = method;
        }

        void add(Site site, String className, double counts, int calls) {
            weight += counts;
            sites.merge(site, counts, Double::sum);
            classes.add(className);
            fewestCalls = Math.min(fewestCalls, calls);
        }

        Leak leak() {
            Site stands = Collections.max(sites.entrySet(), Map.Entry.comparingByValue())
                    .getKey();
            String nearest = stands.methods().get(0);
            List<String> also = classes.stream()
                    .filter(name -> !name.equals(stands.className()))
                    .toList();
            return new Leak(method, nearest.equals(method) ? "" : nearest, stands, also);
        }
    }
}
