package dev.understudy.aggregator.outgoing;

import dev.understudy.aggregator.match.TimeSpan;
import dev.understudy.aggregator.match.TraceId;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The debug JVM's latest calls by when they were asked and by trace, a bounded number. They are put in order when
 * somebody looks: as long as no sidecar tells of inbound exchanges, nobody does. Guarded by its owner.
 */
final class DebugCalls {
    /** So many calls take no less than one does. */
    private static final int AT_ONCE = 4;

    /** Those that aren't in order yet, in that in which they were answered. */
    private final ArrayDeque<DebugCall> latest = new ArrayDeque<>();

    private final TreeMap<Place, DebugCall> byTime =
            new TreeMap<>(Comparator.comparingLong(Place::nanos).thenComparingLong(Place::number));
    private final Map<TraceId, Set<DebugCall>> byTrace = new HashMap<>();
    private final Map<ProductionCall.Twin, DebugCall> takers = new HashMap<>();
    private long bytes;
    private long forgottenUntil = Long.MIN_VALUE;

    /** Adds one, and forgets some if there are more than {@code most}, or they take more than {@code mostBytes}. */
    void add(DebugCall call, int most, long mostBytes) {
        latest.addLast(call);
        bytes += call.bytes();
        for (int n = 0; n < AT_ONCE && (latest.size() + byTime.size() > most || bytes > mostBytes); n++) {
            forget(
                    byTime.isEmpty()
                            ? latest.removeFirst()
                            : byTime.pollFirstEntry().getValue());
        }
    }

    /** Bytes of memory that all take. */
    long bytes() {
        return bytes;
    }

    private void forget(DebugCall call) {
        forgottenUntil = Math.max(forgottenUntil, call.askedNanos());
        bytes -= call.bytes();
        unlink(call);
    }

    private void sort() {
        for (DebugCall call = latest.pollFirst(); call != null; call = latest.pollFirst()) {
            byTime.put(place(call), call);
            TraceId trace = call.form().trace();
            if (trace != null) {
                byTrace.computeIfAbsent(trace, any -> new LinkedHashSet<>(4)).add(call);
            }
            if (call.twin() != null) {
                takers.put(call.twin(), call);
            }
        }
    }

    void remove(DebugCall call) {
        sort();
        bytes -= byTime.remove(place(call)) == null ? 0 : call.bytes();
        unlink(call);
    }

    private void unlink(DebugCall call) {
        if (call.twin() != null) {
            takers.remove(call.twin(), call);
        }
        TraceId trace = call.form().trace();
        Set<DebugCall> ofTrace = trace == null ? null : byTrace.get(trace);
        if (ofTrace != null) {
            ofTrace.remove(call);
            if (ofTrace.isEmpty()) {
                byTrace.remove(trace);
            }
        }
    }

    /** Those that were asked in that time, in order. */
    Collection<DebugCall> askedIn(TimeSpan time) {
        sort();
        return List.copyOf(byTime.subMap(new Place(time.from(), 0), new Place(time.to(), Long.MAX_VALUE))
                .values());
    }

    /** Those in this trace. */
    Collection<DebugCall> in(@Nullable TraceId trace) {
        sort();
        return trace == null ? List.of() : List.copyOf(byTrace.getOrDefault(trace, Set.of()));
    }

    /** Who got its reply; null if nobody did, or that is forgotten. */
    @Nullable
    DebugCall takerOf(ProductionCall call) {
        sort();
        return takers.get(call.twin());
    }

    boolean forgotten(TimeSpan time) {
        return time.from() <= forgottenUntil;
    }

    private static Place place(DebugCall call) {
        return new Place(call.askedNanos(), call.number());
    }

    private record Place(long nanos, long number) {}
}
