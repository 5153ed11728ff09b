package dev.understudy.standin.load;

import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Counts what became of the requests of one route. Confined to one thread. */
final class RouteMeter {
    private static final int DIGITS = 3;

    /** Microseconds since requests were due; of replies and of time-outs. */
    final Histogram sinceDue = new Histogram(DIGITS);

    /** Microseconds since requests were sent; of replies. */
    final Histogram sinceSent = new Histogram(DIGITS);

    final SortedMap<Integer, Long> statuses = new TreeMap<>();
    final Map<LoadError, Long> errors = new EnumMap<>(LoadError.class);
    long sent;
    long bytes;

    void replied(int status, long dueNanos, long sentNanos, long now, long bodyBytes) {
        sinceDue.recordValue(micros(now - dueNanos));
        sinceSent.recordValue(micros(now - sentNanos));
        statuses.merge(status, 1L, Long::sum);
        bytes += bodyBytes;
    }

    /** Who has timed out has waited at least so long; who was refused hasn't waited for a reply. */
    void failed(LoadError why, long dueNanos, long now) {
        errors.merge(why, 1L, Long::sum);
        if (why == LoadError.TIMEOUT) {
            sinceDue.recordValue(micros(now - dueNanos));
        }
    }

    private static long micros(long nanos) {
        return Math.max(0, TimeUnit.NANOSECONDS.toMicros(nanos));
    }

    void add(RouteMeter other) {
        sinceDue.add(other.sinceDue);
        sinceSent.add(other.sinceSent);
        other.statuses.forEach((status, count) -> statuses.merge(status, count, Long::sum));
        other.errors.forEach((why, count) -> errors.merge(why, count, Long::sum));
        sent += other.sent;
        bytes += other.bytes;
    }

    /** A copy that nobody changes. */
    RouteMeter copy() {
        RouteMeter copy = new RouteMeter();
        copy.add(this);
        return copy;
    }
}
