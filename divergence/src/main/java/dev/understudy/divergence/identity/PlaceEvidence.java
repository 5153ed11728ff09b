package dev.understudy.divergence.identity;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How often both sides showed the same value at a place of a route, and how often another each. A place that mostly
 * shows the same isn't made up by each side: what differs there is another record. Bounded, least recently used out
 * first. Guarded by the lock of {@link IdentityMap}.
 */
final class PlaceEvidence {
    private static final int PLACES = 4096;
    private static final int ROUTES = 512;
    /** So many times more often than it agrees, a place must differ to count as made up. */
    private static final int RATIO = 20;
    /** In so many exchanges a place has differed that is known to. */
    private static final int PROOF = 3;
    /** So many equal replies of a route are looked into, then one of {@value #RARELY}. */
    private static final int AT_FIRST = 64;

    private static final int RARELY = 64;

    /** What is known of a place. */
    enum Standing {
        /** It was never seen, or too seldom. */
        UNKNOWN,
        /** Each side makes up what stands there. */
        MADE_UP,
        /** What stands there comes from a common source. */
        COMMON
    }

    private final Map<Long, Counts> places = bounded(PLACES);
    private final Map<Long, Integer> looks = bounded(ROUTES);

    private static <V> Map<Long, V> bounded(int most) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, V> eldest) {
                return size() > most;
            }
        };
    }

    Standing of(long place) {
        Counts counts = places.get(place);
        if (counts == null) {
            return Standing.UNKNOWN;
        }
        if (counts.agreed > 0 && counts.differed < (long) RATIO * counts.agreed) {
            return Standing.COMMON;
        }
        return counts.differed >= PROOF ? Standing.MADE_UP : Standing.UNKNOWN;
    }

    void agreed(long place) {
        counts(place).agreed++;
    }

    /** Another value each, which nothing explained before. */
    void differed(long route, long place) {
        counts(place).differed++;
        looks.remove(route);
    }

    private Counts counts(long place) {
        Counts counts = places.computeIfAbsent(place, any -> new Counts());
        if (counts.agreed == Integer.MAX_VALUE - 1 || counts.differed == Integer.MAX_VALUE - 1) {
            counts.agreed /= 2;
            counts.differed /= 2;
        }
        return counts;
    }

    /** Whether an equal reply of that route is worth looking into: many at first, few later. */
    boolean wantsEqual(long route) {
        int before = looks.merge(route, 1, (known, one) -> known == Integer.MAX_VALUE ? AT_FIRST : known + one) - 1;
        return before < AT_FIRST || before % RARELY == 0;
    }

    /** How many are known: at most {@value #PLACES}. */
    int places() {
        return places.size();
    }

    /** How many are known: at most {@value #ROUTES}. */
    int routes() {
        return looks.size();
    }

    private static final class Counts {
        private int agreed;
        private int differed;
    }
}
