package dev.understudy.observatory.bottleneck;

import dev.understudy.observatory.event.ExchangeColumns;
import java.util.Arrays;

/**
 * How many exchanges of one tier are under way, exactly, at any moment: an exchange is under way from its start up to,
 * and without, its end. Immutable.
 *
 * <p>Two sorted columns are enough: the queue at a moment is the number of starts until then, less that of ends.
 */
final class TierQueue {
    private final String tier;
    private final long[] starts;
    private final long[] ends;

    TierQueue(ExchangeColumns exchanges) {
        tier = exchanges.tier();
        starts = new long[exchanges.size()];
        ends = new long[exchanges.size()];
        for (int i = 0; i < starts.length; i++) {
            starts[i] = exchanges.startMicros(i);
            ends[i] = exchanges.endMicros(i);
        }
        Arrays.parallelSort(starts);
        Arrays.parallelSort(ends);
    }

    String tier() {
        return tier;
    }

    boolean isEmpty() {
        return starts.length == 0;
    }

    /** When the first exchange begins. */
    long firstMicros() {
        return starts[0];
    }

    /** When the last one ends. */
    long lastMicros() {
        return ends[ends.length - 1];
    }

    /** How many are under way at that moment. */
    int at(long micros) {
        return upTo(starts, micros) - upTo(ends, micros);
    }

    private static int upTo(long[] sorted, long micros) {
        int low = 0;
        int high = sorted.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle] <= micros) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The queue in {@code count} windows of {@code width} microseconds from {@code origin} on. */
    QueueWindows windows(long origin, long width, int count) {
        QueueWindows windows = new QueueWindows(tier, origin, width, count);
        int started = upTo(starts, origin - 1);
        int ended = upTo(ends, origin - 1);
        long now = origin;
        int window = 0;
        double area = 0;
        int most = started - ended;
        while (window < count) {
            long edge = origin + (window + 1) * width;
            long next = Math.min(
                    started < starts.length ? starts[started] : Long.MAX_VALUE,
                    ended < ends.length ? ends[ended] : Long.MAX_VALUE);
            long until = Math.min(next, edge);
            area += (double) (started - ended) * (until - now);
            now = until;
            if (until == edge) {
                windows.close(window++, area / width, most);
                area = 0;
                most = 0;
            }
            if (next == until && window < count) {
                while (started < starts.length && starts[started] == now) {
                    windows.arrived(window);
                    started++;
                }
                while (ended < ends.length && ends[ended] == now) {
                    windows.departed(window);
                    ended++;
                }
            }
            most = Math.max(most, started - ended);
        }
        return windows;
    }
}
