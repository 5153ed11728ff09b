package dev.understudy.observatory.bottleneck;

import dev.understudy.observatory.event.ExchangeColumns;
import java.util.Arrays;

/**
 * The very long exchanges of one tier, in the order of their starts, and what they took beyond the median of their
 * route. The median is that of all exchanges of the route, which a few stalls can't move. Immutable.
 */
final class SlowExchanges {
    private final long[] starts;
    private final long[] ends;
    private final long[] excess;
    private final long longest;

    private SlowExchanges(long[] starts, long[] ends, long[] excess) {
        this.starts = starts;
        this.ends = ends;
        this.excess = excess;
        long most = 0;
        for (int i = 0; i < starts.length; i++) {
            most = Math.max(most, ends[i] - starts[i]);
        }
        longest = most;
    }

    static SlowExchanges of(ExchangeColumns exchanges, BottleneckRules rules) {
        int[] medians = medians(exchanges, rules.leastOfRoute());
        int found = 0;
        for (int i = 0; i < exchanges.size(); i++) {
            found += isSlow(exchanges, i, medians, rules) ? 1 : 0;
        }
        long[][] rows = new long[found][];
        for (int i = 0, at = 0; i < exchanges.size(); i++) {
            if (isSlow(exchanges, i, medians, rules)) {
                int median = medians[exchanges.route(i)];
                rows[at++] = new long[] {
                    exchanges.startMicros(i), exchanges.endMicros(i), exchanges.durationMicros(i) - median
                };
            }
        }
        Arrays.sort(rows, (a, b) -> Long.compare(a[0], b[0]));
        return new SlowExchanges(column(rows, 0), column(rows, 1), column(rows, 2));
    }

    private static long[] column(long[][] rows, int column) {
        return Arrays.stream(rows).mapToLong(row -> row[column]).toArray();
    }

    private static boolean isSlow(ExchangeColumns exchanges, int index, int[] medians, BottleneckRules rules) {
        int median = medians[exchanges.route(index)];
        int duration = exchanges.durationMicros(index);
        return median >= 0 && duration >= rules.slowFactor() * median && duration - median >= rules.leastDelayMicros();
    }

    /** By route; -1 where there are fewer than {@code least} exchanges. */
    static int[] medians(ExchangeColumns exchanges, int least) {
        int routes = exchanges.routes().size();
        int[] from = new int[routes + 1];
        for (int i = 0; i < exchanges.size(); i++) {
            from[exchanges.route(i) + 1]++;
        }
        for (int route = 0; route < routes; route++) {
            from[route + 1] += from[route];
        }
        int[] next = Arrays.copyOf(from, routes);
        int[] durations = new int[exchanges.size()];
        for (int i = 0; i < exchanges.size(); i++) {
            durations[next[exchanges.route(i)]++] = exchanges.durationMicros(i);
        }
        int[] medians = new int[routes];
        for (int route = 0; route < routes; route++) {
            int count = from[route + 1] - from[route];
            Arrays.parallelSort(durations, from[route], from[route + 1]);
            medians[route] = count < least ? -1 : durations[from[route] + count / 2];
        }
        return medians;
    }

    int size() {
        return starts.length;
    }

    /** What is known of those under way at some moment between the two. */
    Sum between(long fromMicros, long toMicros) {
        int count = 0;
        long delay = 0;
        long most = 0;
        for (int i = firstAfter(fromMicros - longest); i < starts.length && starts[i] < toMicros; i++) {
            if (ends[i] > fromMicros) {
                count++;
                delay += excess[i];
                most = Math.max(most, ends[i] - starts[i]);
            }
        }
        return new Sum(count, delay, most);
    }

    private int firstAfter(long micros) {
        int found = Arrays.binarySearch(starts, micros);
        int at = found < 0 ? -found - 1 : found;
        while (at > 0 && starts[at - 1] == micros) {
            at--;
        }
        return at;
    }

    /**
     * Very long exchanges together.
     *
     * @param delayMicros what they took beyond the medians of their routes
     * @param longestMicros the longest of them
     */
    record Sum(int count, long delayMicros, long longestMicros) {}
}
