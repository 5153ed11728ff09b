package dev.understudy.sidecar.ranking;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One numbered order of all that is suspected, whatever it rests on: first what explains failing exchanges, by
 * importance, and directly behind the first of them that has a part in it each circle of locks; then leaks, by how much
 * stays; then the other circles. Between kinds nothing is weighed: sidecar/RATIONALE.md says why. Stateless.
 */
final class OneRanking {
    private OneRanking() {}

    /**
     * Something that is suspected.
     *
     * @param spelled gets its {@code rank}
     * @param methods that have a part in it
     */
    record Entry(Map<String, Object> spelled, Set<String> methods) {}

    /** Numbers them from 1 on; those of each kind keep their order. */
    static void number(Collection<Entry> suspects, Collection<Entry> leaks, Collection<Entry> circles) {
        List<Entry> ordered = new ArrayList<>();
        List<Entry> left = new ArrayList<>(circles);
        for (Entry suspect : suspects) {
            ordered.add(suspect);
            for (Iterator<Entry> all = left.iterator(); all.hasNext(); ) {
                Entry circle = all.next();
                if (!Collections.disjoint(circle.methods(), suspect.methods())) {
                    ordered.add(circle);
                    all.remove();
                }
            }
        }
        ordered.addAll(leaks);
        ordered.addAll(left);
        int rank = 0;
        for (Entry entry : ordered) {
            entry.spelled().put("rank", ++rank);
        }
    }

    static List<Map<String, Object>> spelled(Collection<Entry> entries) {
        return entries.stream().map(Entry::spelled).toList();
    }
}
