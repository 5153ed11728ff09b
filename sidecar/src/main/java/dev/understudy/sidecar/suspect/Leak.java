package dev.understudy.sidecar.suspect;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A method that makes objects that stay, or was the last to use them and should have let go of them, or calls what did,
 * of a class of which there are more and more with the exchanges. No exchange fails for it, so it has no predicate. Of
 * all that stays by it, what stays by one way stands for the rest: that which counts most.
 *
 * @param method the application's
 * @param by the method that it calls, with others between them or none, and that makes or uses the objects; empty if it
 *     does so itself
 * @param site where they are made or used
 * @param also other classes whose objects that stay are made or used there
 */
public record Leak(String method, String by, Site site, List<String> also) {
    public Leak {
        also = List.copyOf(also);
    }

    /**
     * One for each method of an agent's, those by which most objects stay first.
     *
     * @param staying of each agent, the classes whose objects are more and more, and what they extend
     */
    public static List<Leak> ranked(List<Site> sites, Map<String, Set<String>> staying) {
        return new LeakRanking(sites, staying).ranked();
    }

    /**
     * Where objects of a class are made that stay, or where those that stay were used last.
     *
     * @param agent who says so
     * @param used whether they are used here, not made
     * @param methods the application's, that which is nearest to where an object is made or called first; at least one
     * @param className of the objects
     * @param part the share of all objects of the class that stay, 0 to 1, that are made here, or were used last
     * @param perThousand by how many more of them there are with a thousand exchanges, of those made or last used here,
     *     with a 95 % interval
     * @param sampled objects made or used here that were looked at
     * @param survived of these, those that were still there after several full collections, and if used, not used any
     *     more
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
    }
}
