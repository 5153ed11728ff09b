package dev.understudy.standin.load;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import org.HdrHistogram.Histogram;

/**
 * What was measured of one route, or of all. Immutable.
 *
 * <p>Times count from when a request was due, so that a stall shows in every request that it delayed. They are those of
 * replies and of time-outs; a time-out counts with the time that it had waited. Other errors have none.
 */
public final class LoadFigures {
    private static final double MICROS = 1e3;

    private final String route;
    private final RouteMeter meter;
    private final double wantedPerSecond;
    private final double reachedPerSecond;
    private final long dropped;

    /** @param meter which is this one's own from now on */
    LoadFigures(String route, RouteMeter meter, double wantedPerSecond, double reachedPerSecond, long dropped) {
        this.route = route;
        this.meter = meter;
        this.wantedPerSecond = wantedPerSecond;
        this.reachedPerSecond = reachedPerSecond;
        this.dropped = dropped;
    }

    /** Method and path; {@code total} for all routes. */
    public String route() {
        return route;
    }

    /** How many requests ended, with a reply or an error; those that were dropped aren't among them. */
    public long count() {
        return replies() + errorCount();
    }

    /** How many replies came, of whatever status. */
    public long replies() {
        return sum(meter.statuses);
    }

    /** How many replies came, by status. */
    public SortedMap<Integer, Long> statuses() {
        return Collections.unmodifiableSortedMap(meter.statuses);
    }

    /** How many requests had no reply, by why; what didn't happen isn't in it. */
    public Map<LoadError, Long> errors() {
        return Collections.unmodifiableMap(meter.errors);
    }

    /** How many requests had no reply. */
    public long errorCount() {
        return sum(meter.errors);
    }

    private static long sum(Map<?, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** How many requests were never sent because too many were waiting. */
    public long dropped() {
        return dropped;
    }

    /** Bytes of the replies' bodies. */
    public long bytes() {
        return meter.bytes;
    }

    /** How many requests per second were wanted. */
    public double wantedPerSecond() {
        return wantedPerSecond;
    }

    /** How many requests per second were sent, until the last one was. */
    public double reachedPerSecond() {
        return reachedPerSecond;
    }

    /** Whether there are times at all. */
    public boolean hasTimes() {
        return meter.sinceDue.getTotalCount() > 0;
    }

    /** The mean time since requests were due; 0 if there are none. */
    public double meanMillis() {
        return meter.sinceDue.getMean() / MICROS;
    }

    /**
     * A percentile of the time since requests were due; 0 if there are none.
     *
     * @param percent 0 to 100, which is the longest time
     */
    public double percentileMillis(double percent) {
        return percentile(meter.sinceDue, percent);
    }

    /** The mean time since requests were sent, of replies; 0 if there are none. */
    public double serviceMeanMillis() {
        return meter.sinceSent.getMean() / MICROS;
    }

    /**
     * A percentile of the time since requests were sent, of replies; 0 if there are none.
     *
     * @param percent 0 to 100, which is the longest time
     */
    public double servicePercentileMillis(double percent) {
        return percentile(meter.sinceSent, percent);
    }

    private static double percentile(Histogram times, double percent) {
        return times.getTotalCount() == 0 ? 0 : times.getValueAtPercentile(percent) / MICROS;
    }
}
