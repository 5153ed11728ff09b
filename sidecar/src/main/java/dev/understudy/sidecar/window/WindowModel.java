package dev.understudy.sidecar.window;

import java.time.Duration;

/**
 * Follows the window live: rates, lag, and when it will overflow.
 *
 * <p>Two estimates are made and the sooner one is told: the queueing model from the rates, and the trend of the real
 * occupancy. {@link #tick} is called by one thread at a steady pace; readers are any.
 */
public final class WindowModel {
    private static final double MEMORY_SECONDS = 5;
    private static final double LEAST_BUSY_SECONDS = 0.001;

    private final Traffic traffic;
    private final Rate arrivals = new Rate(MEMORY_SECONDS);
    private final Rate services = new Rate(MEMORY_SECONDS);
    private final Rate growth = new Rate(MEMORY_SECONDS);
    private final Rate size = new Rate(MEMORY_SECONDS);
    private Traffic.Count before;
    private double fillBefore;
    private double waitingBefore;
    private long nanosBefore;

    private volatile WindowState state = WindowState.EMPTY;
    private volatile double capacity;
    private volatile long peakLagMillis;
    private volatile double peakUtilisation;

    public WindowModel(Traffic traffic, long now) {
        this.traffic = traffic;
        this.before = traffic.count(now);
        this.nanosBefore = now;
    }

    /** Takes the next reading: {@code now} in nanoseconds, {@code epochMillis} for people. */
    public WindowState tick(long now, long epochMillis, Gauge gauge) {
        double seconds = (now - nanosBefore) / 1e9;
        Traffic.Count count = traffic.count(now);
        double fill = gauge.utilisation();
        double waiting = waiting(count, gauge);
        if (seconds > 0) {
            learn(seconds, count, waiting, fill, gauge);
        }
        waitingBefore = waiting;
        long pending = count.pending() + (long) waiting;
        nanosBefore = now;
        before = count;
        fillBefore = fill;
        capacity = capacity(count, gauge);
        long lagMillis = gauge.lagNanos() / 1_000_000;
        peakLagMillis = Math.max(peakLagMillis, lagMillis);
        peakUtilisation = Math.max(peakUtilisation, fill);
        state = new WindowState(
                epochMillis,
                fill,
                gauge.occupancyBytes(),
                gauge.capacityBytes(),
                lagMillis,
                pending,
                arrivals.perSecond(),
                services.perSecond(),
                OverflowTime.words(secondsLeft(fill, pending)));
        return state;
    }

    /** The last reading. */
    public WindowState state() {
        return state;
    }

    /**
     * How many exchanges a second debug has to answer for the window to last as long as is wanted; below 0 as long as
     * that isn't known.
     */
    public double neededRate(Duration wanted) {
        double arriving = state.arrivalRate();
        double room = capacity;
        return arriving <= 0 || room < 1 ? -1 : OverflowTime.serviceRate(arriving, room, wanted.toMillis() / 1e3);
    }

    /**
     * For how many seconds a debug JVM that answers nothing from now on, as at a breakpoint, loses nothing; below 0 as
     * long as that isn't known, or beyond {@link OverflowTime#IN_SIGHT}.
     */
    public double stopSeconds() {
        double arriving = state.arrivalRate();
        double room = capacity;
        double lasts = arriving <= 0 || room < 1 ? -1 : Math.max(0, room * (1 - state.utilisation())) / arriving;
        return lasts < OverflowTime.IN_SIGHT.toSeconds() ? lasts : -1;
    }

    /** The longest lag seen, in milliseconds. */
    public long peakLagMillis() {
        return peakLagMillis;
    }

    /** The highest utilisation seen, 0 to 1. */
    public double peakUtilisation() {
        return peakUtilisation;
    }

    /** How many exchanges the bytes are, most likely, that nobody has looked at. */
    private static double waiting(Traffic.Count count, Gauge gauge) {
        return gauge.toldBytes() == 0 ? 0 : (double) count.arrived() * gauge.waitingBytes() / gauge.toldBytes();
    }

    /** How many exchanges fit in: by what those that waited held or, if none did yet, by what one says on average. */
    private double capacity(Traffic.Count count, Gauge gauge) {
        double said = count.arrived() == 0 ? 0 : (double) gauge.toldBytes() / count.arrived();
        double each = Math.max(size.perSecond(), said);
        return each <= 0 ? 0 : gauge.capacityBytes() / each;
    }

    private void learn(double seconds, Traffic.Count count, double waiting, double fill, Gauge gauge) {
        double arrived = count.arrived() - before.arrived() + waiting - waitingBefore;
        arrivals.add(Math.max(0, arrived), seconds);
        growth.add(fill - fillBefore, seconds);
        double busy = (count.busyNanos() - before.busyNanos()) / 1e9;
        if (busy > LEAST_BUSY_SECONDS) {
            services.add((double) (count.served() - before.served()), busy);
        }
        double pending = count.pending() + waiting;
        if (pending > 0 && gauge.occupancyBytes() > 0) {
            size.add(gauge.occupancyBytes() / pending * seconds, seconds);
        }
    }

    private double secondsLeft(double fill, long pending) {
        double byTrend = growth.perSecond() > 1e-6 ? (1 - fill) / growth.perSecond() : Double.POSITIVE_INFINITY;
        double each = size.perSecond();
        if (each <= 0 || fill <= 0) {
            return Double.POSITIVE_INFINITY;
        }
        double waiting = pending;
        double capacity = Math.max(waiting, waiting / fill);
        double byModel = OverflowTime.seconds(arrivals.perSecond(), services.perSecond(), capacity, waiting);
        return services.perSecond() < arrivals.perSecond() ? Math.min(byModel, byTrend) : byModel;
    }
}
