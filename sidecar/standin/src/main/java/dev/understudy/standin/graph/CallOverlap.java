package dev.understudy.standin.graph;

import java.util.Arrays;
import java.util.List;

/** How many calls of one request went on at the same time. */
final class CallOverlap {
    private CallOverlap() {}

    /**
     * Of each call, how many went on at most while it did; 1 if it was alone. The time is that of sorting.
     *
     * @param calls by their start
     */
    static int[] atOnce(List<MadeCall> calls) {
        int[] begun = atStart(calls);
        int[] most = new int[begun.length];
        // each call from which more go on than from any other between it and the current one
        int[] peaks = new int[begun.length];
        int top = begun.length;
        int[] last = lastBefore(calls);
        for (int i = begun.length - 1; i >= 0; i--) {
            while (top < begun.length && begun[peaks[top]] <= begun[i]) {
                top++;
            }
            peaks[--top] = i;
            int found = Arrays.binarySearch(peaks, top, begun.length, last[i]);
            most[i] = begun[peaks[found >= 0 ? found : -found - 2]];
        }
        return most;
    }

    /** How many go on when each begins, with itself. */
    private static int[] atStart(List<MadeCall> calls) {
        long[] ends = calls.stream().mapToLong(CallOverlap::end).sorted().toArray();
        int[] begun = new int[ends.length];
        int ended = 0;
        for (int i = 0; i < begun.length; i++) {
            while (ended < ends.length && ends[ended] <= calls.get(i).start()) {
                ended++;
            }
            begun[i] = i + 1 - ended;
        }
        return begun;
    }

    /** The last call that begins before each ends. */
    private static int[] lastBefore(List<MadeCall> calls) {
        long[] starts = calls.stream().mapToLong(MadeCall::start).toArray();
        int[] last = new int[starts.length];
        for (int i = 0; i < last.length; i++) {
            int low = i;
            int high = starts.length - 1;
            while (low < high) {
                int middle = (low + high + 1) >>> 1;
                if (starts[middle] < end(calls.get(i))) {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            last[i] = low;
        }
        return last;
    }

    /** A call takes time, even if the clock is too coarse for it. */
    private static long end(MadeCall call) {
        return call.end() > call.start() ? call.end() : call.start() + 1;
    }
}
