package dev.understudy.observatory.bottleneck;

import dev.understudy.observatory.event.ExchangeColumns;

/**
 * One tier, window by window: exchanges under way, those that came and went, and the response times of those that went.
 *
 * <p>The queue is the average over the window's time, so that Little's law holds in each of them, and the most at any
 * moment of it. Seed 004, section 3.3, counts an exchange in the window of its start; it defines no point-in-time
 * response time, which is that of the exchanges that end in the window here. Confined to whoever fills it.
 */
public final class QueueWindows {
    private final String tier;
    private final long originMicros;
    private final long widthMicros;
    private final float[] mean;
    private final int[] most;
    private final int[] arrivals;
    private final int[] departures;
    private final int[] longest;
    private final double[] total;

    QueueWindows(String tier, long originMicros, long widthMicros, int count) {
        this.tier = tier;
        this.originMicros = originMicros;
        this.widthMicros = widthMicros;
        mean = new float[count];
        most = new int[count];
        arrivals = new int[count];
        departures = new int[count];
        longest = new int[count];
        total = new double[count];
    }

    void close(int window, double queue, int mostQueue) {
        mean[window] = (float) queue;
        most[window] = mostQueue;
    }

    void arrived(int window) {
        arrivals[window]++;
    }

    void departed(int window) {
        departures[window]++;
    }

    void addResponseTimes(ExchangeColumns exchanges) {
        for (int i = 0; i < exchanges.size(); i++) {
            int window = at(exchanges.endMicros(i));
            if (window >= 0 && window < mean.length) {
                int duration = exchanges.durationMicros(i);
                longest[window] = Math.max(longest[window], duration);
                total[window] += duration;
            }
        }
    }

    /** The window of that moment; below 0 or {@link #count} and more if it is outside. */
    int at(long micros) {
        long window = Math.floorDiv(micros - originMicros, widthMicros);
        return (int) Math.max(-1, Math.min(count(), window));
    }

    /** The tier's name. */
    public String tier() {
        return tier;
    }

    /** When the window begins, epoch microseconds. */
    public long startMicros(int window) {
        return originMicros + window * widthMicros;
    }

    /** How long a window is, microseconds. */
    public long widthMicros() {
        return widthMicros;
    }

    /** How many windows there are. */
    public int count() {
        return mean.length;
    }

    /** Exchanges under way, averaged over the window's time. */
    public double queue(int window) {
        return mean[window];
    }

    /** The most that were under way at any moment of it. */
    public int mostQueue(int window) {
        return most[window];
    }

    /** Exchanges that began in it. */
    public int arrivals(int window) {
        return arrivals[window];
    }

    /** Exchanges that ended in it. */
    public int departures(int window) {
        return departures[window];
    }

    /** The longest response time of those that ended in it, microseconds; 0 if none did. */
    public int longestMicros(int window) {
        return longest[window];
    }

    /** The mean response time of those that ended in it, microseconds; 0 if none did. */
    public double meanMicros(int window) {
        return departures[window] == 0 ? 0 : total[window] / departures[window];
    }
}
