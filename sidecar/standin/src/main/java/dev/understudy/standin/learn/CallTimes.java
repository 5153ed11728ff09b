package dev.understudy.standin.learn;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** When calls came and ended, and of which route each was. Grows with the number of calls, up to a bound. */
final class CallTimes {
    /** Calls that are learned from; what follows in a recording is left out. */
    static final int MOST = 5_000_000;

    private long[] arrived = new long[1024];
    private long[] ended = new long[1024];
    private int[] routes = new int[1024];
    private int count;

    boolean isFull() {
        return count == MOST;
    }

    int count() {
        return count;
    }

    void add(int route, long arrivedNanos, long endedNanos) {
        if (count == arrived.length) {
            int larger = Math.min(MOST, count * 2);
            arrived = Arrays.copyOf(arrived, larger);
            ended = Arrays.copyOf(ended, larger);
            routes = Arrays.copyOf(routes, larger);
        }
        arrived[count] = arrivedNanos;
        ended[count] = endedNanos;
        routes[count] = route;
        count++;
    }

    /** The same in the order in which the calls came. */
    CallTimes sorted() {
        CallTimes sorted = new CallTimes();
        IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.comparingLong(each -> arrived[each]))
                .forEach(each -> sorted.add(routes[each], arrived[each], ended[each]));
        return sorted;
    }

    long[] arrived() {
        return Arrays.copyOf(arrived, count);
    }

    long[] ended() {
        return Arrays.copyOf(ended, count);
    }

    int route(int call) {
        return routes[call];
    }
}
