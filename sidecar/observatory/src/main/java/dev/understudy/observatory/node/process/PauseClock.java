package dev.understudy.observatory.node.process;

/**
 * The share of time that a JVM's collector stopped it, though the JVM counts a pause only when it is over.
 *
 * <p>The JVM's own clock is the machine's, from another moment on. It writes it into its perf data where a pause begins
 * and ends, and older JVMs some times a second: the least distance seen is nearest to the truth. One thread. All times
 * in seconds.
 */
final class PauseClock {
    /** A longer pause is taken for a misread number. */
    private static final double LONGEST = 600;

    private double distance = Double.NaN;
    private double ticksBefore = Double.NaN;
    private boolean hasMoved;
    private double paused = Double.NaN;
    private double credited = Double.NaN;

    /**
     * Takes what is read now.
     *
     * @param now the machine's clock
     * @param ticks the JVM's clock as it wrote it last, NaN if it hasn't
     * @param counted what all pauses that ended have taken
     * @param began when the pause began that goes on now, by the JVM's clock; NaN without one
     */
    void at(double now, double ticks, double counted, double began) {
        if (!Double.isNaN(ticks)) {
            hasMoved |= ticks > ticksBefore;
            ticksBefore = ticks;
            double seen = now - ticks;
            distance = seen < distance || Double.isNaN(distance) ? seen : distance;
        }
        double running = hasMoved && !Double.isNaN(began) ? now - distance - began : 0;
        paused = counted + (running > 0 && running < LONGEST ? running : 0);
    }

    /**
     * The share of the time since the call before.
     *
     * @param seconds how long that was
     * @return 0 to 1; NaN at the first call
     */
    double share(double seconds) {
        if (Double.isNaN(credited)) {
            credited = paused;
            return Double.NaN;
        }
        double now = Math.max(0, Math.min(seconds, paused - credited));
        credited += now;
        return now / seconds;
    }
}
