package dev.understudy.sidecar.suspect;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A method that makes objects that stay, of a class of which there are more and more with the exchanges. No exchange fails for it,
 * so it has no predicate.
 *
 * @param agent who says so
 * @param method the application's, nearest to where the object is made
 * @param callers those that called it, the nearest first
 * @param className of the objects
 * @param perThousand by how many more of them there are with a thousand exchanges for this method's part, with a 95 % interval
 * @param sampled objects made there that were looked at
 * @param survived of these, those that were still there after several full collections
 * @param stack of one that stays, from the allocation on
 * @param also other classes whose objects that stay are made there
 */
public record Leak(
        String agent,
        String method,
        List<String> callers,
        String className,
        double perThousand,
        double low,
        double high,
        long sampled,
        long survived,
        List<String> stack,
        List<String> also) {
    /** So few are no evidence. */
    private static final int FEWEST = 3;

    private static final int MOST = 10;

    public Leak {
        callers = List.copyOf(callers);
        stack = List.copyOf(stack);
        also = List.copyOf(also);
    }

    /** One for each method of an agent's, those by which most objects stay first. */
    public static List<Leak> ranked(List<Leak> sites) {
        Map<String, List<Leak>> methods = new LinkedHashMap<>();
        for (Leak site : sites) {
            if (site.survived >= FEWEST) {
                methods.merge(site.agent + '\n' + site.method, List.of(site), Leak::joined);
            }
        }
        return methods.values().stream()
                .sorted(Comparator.<List<Leak>>comparingDouble(Leak::all).reversed())
                .limit(MOST)
                .map(Leak::one)
                .toList();
    }

    private static List<Leak> joined(List<Leak> some, List<Leak> more) {
        List<Leak> all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }

    private static double all(List<Leak> sites) {
        return sites.stream().mapToDouble(Leak::perThousand).sum();
    }

    /** The class with the most objects stands for all of them. */
    private static Leak one(List<Leak> sites) {
        Leak most = sites.stream()
                .max(Comparator.comparingDouble(Leak::perThousand))
                .orElseThrow();
        List<String> also = sites.stream()
                .map(Leak::className)
                .filter(name -> !name.equals(most.className))
                .distinct()
                .toList();
        return new Leak(
                most.agent,
                most.method,
                most.callers,
                most.className,
                most.perThousand,
                most.low,
                most.high,
                most.sampled,
                most.survived,
                most.stack,
                also);
    }
}
