package dev.understudy.aggregator.outgoing;

import dev.understudy.aggregator.match.Span;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Production's latest calls by when they began, bounded by bytes; the earliest are forgotten. Guarded by its owner. */
final class ProductionCalls {
    private final long most;
    private final TreeMap<Place, ProductionCall> byTime =
            new TreeMap<>(Comparator.comparingLong(Place::nanos).thenComparingLong(Place::number));
    private final Map<ProductionCall.Twin, Place> places = new HashMap<>();
    private long numbered;
    private long bytes;
    private long forgottenUntil = Long.MIN_VALUE;

    ProductionCalls(long most) {
        this.most = most;
    }

    void add(ProductionCall call) {
        Place place = new Place(call.startNanos(), ++numbered);
        byTime.put(place, call);
        places.put(call.twin(), place);
        bytes += call.bytes();
        while (bytes > most) {
            ProductionCall earliest = byTime.firstEntry().getValue();
            forgottenUntil = Math.max(forgottenUntil, earliest.endNanos());
            remove(earliest);
        }
    }

    void remove(ProductionCall call) {
        Place place = places.remove(call.twin());
        if (place != null) {
            byTime.remove(place);
            bytes -= call.bytes();
        }
    }

    /** Those that began in that time, in order. */
    Collection<ProductionCall> begunIn(Span time) {
        return byTime.subMap(new Place(time.from(), 0), new Place(time.to(), Long.MAX_VALUE))
                .values();
    }

    /** Whose reply it was; null if that is forgotten. */
    @Nullable
    ProductionCall of(ProductionCall.Twin twin) {
        Place place = places.get(twin);
        return place == null ? null : Objects.requireNonNull(byTime.get(place));
    }

    /** Whether a call of that time may have been forgotten. */
    boolean forgotten(Span time) {
        return time.from() <= forgottenUntil;
    }

    private record Place(long nanos, long number) {}
}
