package dev.understudy.sidecar.suspect;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A method that makes objects that stay, or was the last to use them and should have let go of them, or calls what did, of a class of which there are more and
 * more with the exchanges. No exchange fails for it, so it has no predicate. Of all that stays by it, what stays by one way stands for the rest: that
 * which counts most.
 *
 * @param method the application's
 * @param by the method that it calls, with others between them or none, and that makes or uses the objects; empty if it does so itself
 * @param site where they are made or used
 * @param also other classes whose objects that stay are made or used there
 */
public record Leak(String method, String by, Site site, List<String> also) {
    /** So few are no evidence. */
    private static final int FEWEST = 3;

    private static final int MOST = 10;
    /** What counts for the last users of objects; the rest is for their makers. */
    private static final double USED = 0.5;

    public Leak {
        also = List.copyOf(also);
    }

    /**
     * One for each method of an agent's, those by which most objects stay first; what a method makes or uses itself counts fully, and half as
     * much with each call that lies between. So what leads to several places stands before each of them. A call by an object that stays
     * itself isn't counted: what these do among themselves leads to whoever called one of them from outside. Of the objects of which it is known
     * who used them last, half counts for those, and half for those that made them.
     *
     * @param staying of each agent, the classes whose objects are more and more, and what they extend
     */
    public static List<Leak> ranked(List<Site> all, Map<String, Set<String>> staying) {
        List<Site> sites = all.stream().filter(site -> site.survived >= FEWEST).toList();
        Map<String, Double> used = new HashMap<>();
        for (Site site : sites) {
            if (site.used) {
                used.merge(site.ofClass(), site.part, Double::sum);
            }
        }
        Map<String, Under> methods = new LinkedHashMap<>();
        for (Site site : sites) {
            double known = Math.min(1, used.getOrDefault(site.ofClass(), 0.0));
            double weight = site.perThousand * (site.used ? USED : 1 - known * USED);
            int calls = 0;
            for (String method : site.methods) {
                methods.computeIfAbsent(site.agent + '\n' + method, any -> new Under(method))
                        .add(site, weight / (1 << calls), calls);
                String className = method.substring(0, Math.max(0, method.indexOf('#')));
                calls += staying.getOrDefault(site.agent, Set.of()).contains(className) ? 0 : 1;
            }
        }
        return methods.values().stream()
                .sorted(Comparator.<Under>comparingDouble(under -> -under.weight)
                        .thenComparingInt(under -> under.fewestCalls))
                .limit(MOST)
                .map(Under::leak)
                .toList();
    }

    /**
     * Where objects of a class are made that stay, or where those that stay were used last.
     *
     * @param agent who says so
     * @param used whether they are used here, not made
     * @param methods the application's, that which is nearest to where an object is made or called first; at least one
     * @param className of the objects
     * @param part the share of all objects of the class that stay, 0 to 1, that are made here, or were used last
     * @param perThousand by how many more of them there are with a thousand exchanges, of those made or last used here, with a 95 % interval
     * @param sampled objects made or used here that were looked at
     * @param survived of these, those that were still there after several full collections, and if used, not used any more
     * @param stack of one of them, from the allocation on, or from its method
     */
    public record Site(
            String agent,
            boolean used,
            List<String> methods,
            String className,
            double part,
            double perThousand,
            double low,
            double high,
            long sampled,
            long survived,
            List<String> stack) {
        public Site {
            methods = List.copyOf(methods);
            stack = List.copyOf(stack);
        }

        private String ofClass() {
            return agent + '\n' + className;
        }
    }

    /** What stays by one method. */
    private static final class Under {
        private final String method;
        private final Set<String> classes = new LinkedHashSet<>();
        private @Nullable Site most;
        private double mostCounts;
        private double weight;
        private int fewestCalls = Integer.MAX_VALUE;

        Under(String method) {
            this.method = method;
        }

        void add(Site site, double counts, int calls) {
            weight += counts;
            if (most == null || counts > mostCounts) {
                most = site;
                mostCounts = counts;
            }
            classes.add(site.className);
            fewestCalls = Math.min(fewestCalls, calls);
        }

        Leak leak() {
            Site stands = Objects.requireNonNull(most);
            String nearest = stands.methods.get(0);
            List<String> also = classes.stream()
                    .filter(name -> !name.equals(stands.className))
                    .toList();
            return new Leak(method, nearest.equals(method) ? "" : nearest, stands, also);
        }
    }
}
