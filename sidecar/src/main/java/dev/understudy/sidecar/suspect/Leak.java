package dev.understudy.sidecar.suspect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A method that makes objects that stay, or calls what does, of a class of which there are more and more with the exchanges. No
 * exchange fails for it, so it has no predicate. Of all that stays by it, what stays by one way stands for the rest: that of most objects.
 *
 * @param method the application's
 * @param by the method that it calls, with others between them or none, and that makes the objects; empty if it makes them itself
 * @param site where they are made
 * @param also other classes whose objects that stay are made there
 */
public record Leak(String method, String by, Site site, List<String> also) {
    /** So few are no evidence. */
    private static final int FEWEST = 3;

    private static final int MOST = 10;

    public Leak {
        also = List.copyOf(also);
    }

    /**
     * One for each method of an agent's, those by which most objects stay first; what a method makes itself counts fully, and half as
     * much with each call that lies between. So what leads to several places stands before each of them.
     */
    public static List<Leak> ranked(List<Site> sites) {
        Map<String, Under> methods = new LinkedHashMap<>();
        for (Site site : sites) {
            if (site.survived >= FEWEST) {
                for (int calls = 0; calls < site.methods.size(); calls++) {
                    String method = site.methods.get(calls);
                    methods.computeIfAbsent(site.agent + '\n' + method, any -> new Under(method))
                            .add(site, calls);
                }
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
     * Where objects of a class are made that stay.
     *
     * @param agent who says so
     * @param methods the application's, that which is nearest to where an object is made first; at least one
     * @param className of the objects
     * @param perThousand by how many more of them there are with a thousand exchanges, of those made here, with a 95 % interval
     * @param sampled objects made here that were looked at
     * @param survived of these, those that were still there after several full collections
     * @param stack of one that stays, from the allocation on
     */
    public record Site(
            String agent,
            List<String> methods,
            String className,
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
    }

    /** What stays by one method. */
    private static final class Under {
        private final String method;
        private final List<Site> sites = new ArrayList<>();
        private double weight;
        private int fewestCalls = Integer.MAX_VALUE;

        Under(String method) {
            this.method = method;
        }

        void add(Site site, int calls) {
            sites.add(site);
            weight += site.perThousand / (1 << calls);
            fewestCalls = Math.min(fewestCalls, calls);
        }

        Leak leak() {
            Site most = sites.stream()
                    .max(Comparator.comparingDouble(Site::perThousand))
                    .orElseThrow();
            String maker = most.methods.get(0);
            List<String> also = sites.stream()
                    .map(Site::className)
                    .filter(name -> !name.equals(most.className))
                    .distinct()
                    .toList();
            return new Leak(method, maker.equals(method) ? "" : maker, most, also);
        }
    }
}
