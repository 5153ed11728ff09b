package dev.understudy.sidecar.finding;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.content.Folding;
import dev.understudy.sidecar.verdict.Judged;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Groups divergences of one listener: {@value #MOST} groups, with the first examples of each. Guarded by its
 * {@link RouteStatistics}.
 */
final class Causes {
    private static final int MOST = 200;
    private static final int EXAMPLES = 2;
    private static final int PLACES = 12;
    private static final int LONGEST = 1000;

    private final Map<Key, Group> groups = new LinkedHashMap<>();
    private long ungrouped;

    void add(String route, Judged judged) {
        TreeSet<String> places = new TreeSet<>();
        for (Difference difference : judged.verdict().differences()) {
            if (difference.noise() == null && places.size() < PLACES) {
                places.add(difference.type() + " " + Folding.place(difference.path()));
            }
        }
        Key key = new Key(route, List.copyOf(places));
        Group group = groups.get(key);
        if (group == null && groups.size() == MOST) {
            ungrouped++;
            return;
        }
        if (group == null) {
            group = new Group();
            groups.put(key, group);
        }
        group.count++;
        group.last = judged.exchange();
        if (group.examples.size() < EXAMPLES) {
            group.examples.add(shortened(judged));
        }
    }

    List<RouteSnapshot.Cause> read() {
        List<RouteSnapshot.Cause> read = new ArrayList<>();
        groups.forEach((key, group) ->
                read.add(new RouteSnapshot.Cause(key.route, key.places, group.count, group.last, group.examples)));
        return read;
    }

    long ungrouped() {
        return ungrouped;
    }

    /** Real differences come first. */
    private static Judged shortened(Judged judged) {
        List<Difference> differences = judged.verdict().differences().stream()
                .limit(PLACES)
                .map(one -> new Difference(
                        Folding.shortened(one.path(), LONGEST), one.type(), one.production(), one.debug(), one.noise()))
                .toList();
        return judged.with(
                Folding.shortened(judged.request(), LONGEST),
                new Verdict(judged.verdict().kind(), judged.verdict().reason(), differences));
    }

    private record Key(String route, List<String> places) {}

    private static final class Group {
        private final List<Judged> examples = new ArrayList<>(EXAMPLES);
        private long count;
        private long last;
    }
}
