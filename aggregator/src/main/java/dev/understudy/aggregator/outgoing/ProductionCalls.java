package dev.understudy.aggregator.outgoing;

import dev.understudy.aggregator.match.TimeSpan;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Production's latest calls by when they began, bounded by bytes; the earliest are forgotten. They are put in order
 * when somebody looks: as long as no sidecar tells of inbound exchanges, nobody does. Guarded by its owner.
 */
final class ProductionCalls {
    /** So many calls take no less than one does. */
    private static final int AT_ONCE = 4;

    /** Those that aren't in order yet, in that in which they were recorded. */
    private final ArrayDeque<ProductionCall> latest = new ArrayDeque<>();

    private final TreeMap<Place, ProductionCall> byTime =
            new TreeMap<>(Comparator.comparingLong(Place::nanos).thenComparingLong(Place::number));
    private final Map<ProductionCall.Twin, Place> places = new HashMap<>();
    private long numbered;
    private long bytes;
    private long forgottenUntil = Long.MIN_VALUE;

    /** Adds one, and forgets some, which take no less than it, if all take more than {@code most} bytes. */
    void add(ProductionCall call, long most) {
        latest.addLast(call);
        bytes += call.bytes();
        for (int n = 0; n < AT_ONCE && bytes > most; n++) {
            forget();
        }
    }

    private void forget() {
        ProductionCall earliest = byTime.isEmpty() ? null : byTime.firstEntry().getValue();
        if (earliest == null) {
            earliest = latest.removeFirst();
            bytes -= earliest.bytes();
        } else {
            drop(earliest);
        }
        forgottenUntil = Math.max(forgottenUntil, earliest.endNanos());
    }

    private void sort() {
        for (ProductionCall call = latest.pollFirst(); call != null; call = latest.pollFirst()) {
            Place place = new Place(call.startNanos(), ++numbered);
            byTime.put(place, call);
            places.put(call.twin(), place);
        }
    }

    void remove(ProductionCall call) {
        sort();
        drop(call);
    }

    private void drop(ProductionCall call) {
        Place place = places.remove(call.twin());
        if (place != null) {
            byTime.remove(place);
            bytes -= call.bytes();
        }
    }

    /** Those that began in that time, in order. */
    Collection<ProductionCall> begunIn(TimeSpan time) {
        sort();
        return byTime.subMap(new Place(time.from(), 0), new Place(time.to(), Long.MAX_VALUE))
                .values();
    }

    /** Whose reply it was; null if that is forgotten. */
    @Nullable
    ProductionCall of(ProductionCall.Twin twin) {
        sort();
        Place place = places.get(twin);
        return place == null ? null : Objects.requireNonNull(byTime.get(place));
    }

    /** Whether a call of that time may have been forgotten. */
    boolean forgotten(TimeSpan time) {
        return time.from() <= forgottenUntil;
    }

    private record Place(long nanos, long number) {}
}
