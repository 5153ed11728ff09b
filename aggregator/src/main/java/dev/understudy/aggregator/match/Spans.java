package dev.understudy.aggregator.match;

import java.util.Arrays;
import java.util.Comparator;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Inbound exchanges by when one of the two JVMs served them, for the question which of them something else lies within.
 *
 * <p>They are kept by the magnitude of their length (its binary logarithm), and in each by their beginning: those of
 * one magnitude that can hold a moment began at most their length before it, and at least half of such a stretch does
 * hold it. So a look costs about twice as many steps as it finds, and O(log n) for each magnitude. Guarded by its
 * owner.
 */
final class Spans {
    private static final int MAGNITUDES = 64;

    private final Function<Inbound, @Nullable TimeSpan> side;
    private final TreeMap<Place, Inbound> places = new TreeMap<>(Comparator.comparingInt(Place::magnitude)
            .thenComparingLong(Place::from)
            .thenComparingLong(Place::id));
    private final int[] counts = new int[MAGNITUDES];

    /** @param side when it was served; null if it wasn't: then it isn't kept */
    Spans(Function<Inbound, @Nullable TimeSpan> side) {
        this.side = side;
    }

    void add(Inbound inbound) {
        TimeSpan span = side.apply(inbound);
        Place place = span == null ? null : place(inbound.id(), span);
        if (place != null && places.put(place, inbound) == null) {
            counts[place.magnitude]++;
        }
    }

    void remove(Inbound inbound) {
        TimeSpan span = side.apply(inbound);
        Place place = span == null ? null : place(inbound.id(), span);
        if (place != null && places.remove(place) != null) {
            counts[place.magnitude]--;
        }
    }

    void clear() {
        places.clear();
        Arrays.fill(counts, 0);
    }

    /**
     * Whether one that lasted from {@code start} to {@code end} at least passes the test; true if there are too many to
     * say.
     */
    boolean anyAround(long start, long end, int looks, Predicate<Inbound> test) {
        int looked = 0;
        for (int magnitude = 0; magnitude < MAGNITUDES; magnitude++) {
            if (counts[magnitude] == 0) {
                continue;
            }
            long earliest = magnitude >= MAGNITUDES - 2 ? Long.MIN_VALUE : start - (1L << magnitude);
            Place from = new Place(magnitude, earliest, Long.MIN_VALUE);
            Place to = new Place(magnitude, start, Long.MAX_VALUE);
            for (Inbound inbound : places.subMap(from, true, to, true).values()) {
                TimeSpan span = side.apply(inbound);
                if (++looked > looks || (span != null && span.contains(start, end) && test.test(inbound))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static Place place(long id, TimeSpan span) {
        boolean open = span.to() == Long.MAX_VALUE;
        int magnitude = open ? MAGNITUDES - 1 : MAGNITUDES - Long.numberOfLeadingZeros(span.to() - span.from());
        return new Place(Math.min(magnitude, MAGNITUDES - 1), span.from(), id);
    }

    private record Place(int magnitude, long from, long id) {}
}
