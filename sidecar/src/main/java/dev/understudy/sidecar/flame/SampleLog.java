package dev.understudy.sidecar.flame;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The newest samples one by one, each with its time and its node in a tree, so that any span of time can be added up.
 *
 * <p>Grows to {@value #MOST} samples, some 4 MiB; then the oldest are only in the trees. Not for several threads.
 */
final class SampleLog {
    static final int MOST = 1 << 17;

    private static final int FIRST = 1 << 10;

    private long[] times = new long[FIRST];
    private CallTree[] trees = new CallTree[FIRST];
    private int[] nodes = new int[FIRST];
    private long[] samples = new long[FIRST];
    private long[] weights = new long[FIRST];
    private int size;
    private int next;
    private long forgotten;

    /** What a tree has of a span of time. */
    static final class Sums {
        private final long[] byNode;
        private long samples;
        private long weight;
        private long left;

        private Sums(int nodes) {
            byNode = new long[nodes];
        }

        private void add(int node, long seen, long stands) {
            samples += seen;
            weight += stands;
            if (node < 0) {
                left += stands;
            } else {
                byNode[node] += stands;
            }
        }

        /** For how much each node stands by itself. */
        long[] byNode() {
            return byNode;
        }

        /** How many samples there were. */
        long samples() {
            return samples;
        }

        /** For how much they stand. */
        long weight() {
            return weight;
        }

        /** How much of that is of no node. */
        long left() {
            return left;
        }
    }

    /**
     * Adds one.
     *
     * @param time in milliseconds since 1970
     * @param node as {@link CallTree#add} answered it
     */
    void add(long time, CallTree tree, int node, long seen, long stands) {
        if (size == times.length && size < MOST) {
            grow();
        }
        if (size == MOST) {
            forgotten = Math.max(forgotten, times[next]);
        } else {
            size++;
        }
        times[next] = time;
        trees[next] = tree;
        nodes[next] = node;
        samples[next] = seen;
        weights[next] = stands;
        next = (next + 1) % MOST;
    }

    /** After this time all samples are known, in milliseconds since 1970; 0 if none was forgotten. */
    long forgotten() {
        return forgotten;
    }

    /** What trees have of that span; those without any aren't in it. */
    Map<CallTree, Sums> of(Flame.Span span) {
        Map<CallTree, Sums> sums = new HashMap<>();
        for (int i = 0; i < size; i++) {
            if (span.contains(times[i])) {
                CallTree tree = trees[i];
                sums.computeIfAbsent(tree, unseen -> new Sums(tree.size())).add(nodes[i], samples[i], weights[i]);
            }
        }
        return sums;
    }

    /** Before the first is overwritten, so that they stand in order. */
    private void grow() {
        int larger = 2 * size;
        times = Arrays.copyOf(times, larger);
        trees = Arrays.copyOf(trees, larger);
        nodes = Arrays.copyOf(nodes, larger);
        samples = Arrays.copyOf(samples, larger);
        weights = Arrays.copyOf(weights, larger);
    }
}
