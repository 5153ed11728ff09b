package dev.understudy.sidecar.suspect;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides in which classes to look at branches next (adaptive bug isolation: Arumuga Nainar and Liblit, 2010).
 *
 * <p>First come the suspects' own classes, then those of their callers and callees and of what came true shortly before
 * or after them in failing exchanges ({@link Neighbourhood}). As long as nobody is suspected, those that most failing
 * exchanges have in common. A class whose branches were seen often enough and go with nothing makes room for the next;
 * it may come again when there are twice as many failing exchanges. Not for several threads.
 */
final class Search {
    /** So many classes at a time. */
    static final int MOST = 8;

    private static final int RUNS = 256;
    private static final double A_LITTLE = 1e-4;
    /**
     * A class of whose branches nothing is seen in so many times the failing exchanges needed has none that could be.
     */
    private static final int PATIENCE = 3;

    private final Methods methods;
    private final Neighbourhood neighbourhood;
    private final int least;
    /** How many exchanges had failed when it was asked for. */
    private final Map<String, Integer> asked = new HashMap<>();
    /** From how many failing exchanges on it may be asked for again. */
    private final Map<String, Integer> rests = new HashMap<>();

    /** @param least how many failing exchanges tell something */
    Search(Methods methods, int least) {
        this.methods = methods;
        this.neighbourhood = new Neighbourhood(methods);
        this.least = least;
    }

    /**
     * The classes to look at now, the most promising first.
     *
     * @param failed how many exchanges have failed; {@code failures} are some of them
     */
    List<String> next(List<Run> failures, int failed, List<Suspect> suspects, Set<String> telling) {
        Map<String, Integer> seen = seen(failures);
        for (String name : List.copyOf(asked.keySet())) {
            int since = failed - asked.getOrDefault(name, failed);
            boolean told = seen.getOrDefault(name, 0) >= least ? since >= least : since >= PATIENCE * least;
            if (told && !telling.contains(name)) {
                asked.remove(name);
                rests.put(name, 2 * failed);
            }
        }
        rests.values().removeIf(until -> failed >= until);
        LinkedHashSet<String> wanted = new LinkedHashSet<>();
        for (Suspect suspect : suspects) {
            wanted.add(Methods.classOf(suspect.method()));
            suspect.alike().forEach(alike -> wanted.add(Methods.classOf(alike.method())));
        }
        wanted.removeIf(rests::containsKey);
        wanted.addAll(asked.keySet());
        wanted.addAll(nearest(failures, suspects));
        List<String> chosen = wanted.stream()
                .filter(name -> !rests.containsKey(name))
                .limit(MOST)
                .toList();
        asked.keySet().retainAll(chosen);
        chosen.forEach(name -> asked.putIfAbsent(name, failed));
        return chosen;
    }

    /** The classes that take part in failing exchanges, the most promising first. */
    Collection<String> nearest(List<Run> failures, List<Suspect> suspects) {
        List<Run> some = failures.subList(Math.max(0, failures.size() - RUNS), failures.size());
        return suspects.isEmpty() ? common(some) : neighbourhood.of(suspects, some);
    }

    /** In how many failing runs something inside the class's methods was seen. */
    private Map<String, Integer> seen(List<Run> failures) {
        Map<String, Integer> seen = new HashMap<>();
        for (Run run : failures) {
            Set<String> here = new HashSet<>();
            for (int predicate : run.held) {
                if (methods.isInside(predicate / Predicate.ROOM)) {
                    here.add(className(predicate));
                }
            }
            here.forEach(name -> seen.merge(name, 1, Integer::sum));
        }
        return seen;
    }

    /** Of those that are equally common, the ones of which more came true. */
    private Collection<String> common(List<Run> failures) {
        Map<String, Double> shares = new HashMap<>();
        for (Run run : failures) {
            Set<String> here = new HashSet<>();
            for (int predicate : run.held) {
                String name = className(predicate);
                shares.merge(name, here.add(name) ? 1 : A_LITTLE, Double::sum);
            }
        }
        return byShare(shares);
    }

    private static Collection<String> byShare(Map<String, Double> shares) {
        List<Map.Entry<String, Double>> sorted = new ArrayList<>(shares.entrySet());
        sorted.sort(Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()));
        return sorted.stream().map(Map.Entry::getKey).toList();
    }

    private String className(int predicate) {
        return methods.className(predicate / Predicate.ROOM);
    }
}
