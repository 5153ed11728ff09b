package dev.understudy.agent.leak;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which of the classes that seem to grow are watched: a few at a time, and each has its turn.
 *
 * <p>What grows most isn't always what leads to the guilty method, and a class may be watched in vain: so nobody keeps
 * a place that another waits for, once there was time to see which of its objects stay. Confined to one thread.
 */
final class LeakTurns {
    /** How many are watched at a time. */
    static final int MOST = 6;
    /**
     * Counts that a turn lasts: an object that stays is known as such at the third after the one behind which it was
     * made.
     */
    static final int LENGTH = 5;

    /** Since how many counts, those who have been watched for longest first. */
    private final Map<String, Integer> watched = new LinkedHashMap<>();

    private final Set<String> had = new HashSet<>();

    /**
     * Objects were counted once more.
     *
     * @param candidates the classes that seem to grow and can be watched, the most suspicious first
     * @return those that are watched from now on
     */
    Set<String> next(List<String> candidates) {
        watched.replaceAll((name, counts) -> counts + 1);
        had.retainAll(candidates);
        Deque<String> waiting = waiting(candidates, had);
        if (waiting.isEmpty()) {
            had.clear();
            waiting = waiting(candidates, Set.of());
        }
        for (Iterator<Entry<String, Integer>> all = watched.entrySet().iterator(); all.hasNext(); ) {
            Entry<String, Integer> one = all.next();
            boolean candidate = candidates.contains(one.getKey());
            if (one.getValue() >= LENGTH && (!candidate || waiting.size() > MOST - watched.size())) {
                had.add(one.getKey());
                all.remove();
            }
        }
        while (watched.size() < MOST && !waiting.isEmpty()) {
            watched.put(waiting.remove(), 0);
        }
        return Set.copyOf(watched.keySet());
    }

    private Deque<String> waiting(List<String> candidates, Collection<String> without) {
        return candidates.stream()
                .filter(name -> !watched.containsKey(name) && !without.contains(name))
                .collect(Collectors.toCollection(ArrayDeque::new));
    }
}
