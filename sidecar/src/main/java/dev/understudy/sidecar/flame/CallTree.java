package dev.understudy.sidecar.flame;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** How often which stack was seen, or for how much it stands, as a tree of calls. Not for several threads. */
final class CallTree {
    private final Map<Long, Integer> children = new HashMap<>();
    private int[] parents = new int[64];
    private int[] frames = new int[64];
    private long[] weights = new long[64];
    private int size = 1; // 0 is the root, which is no frame
    private long samples;
    private long weight;
    private long left;

    /**
     * Adds a stack, the thread's first frame first; one that needs more room is left out as a whole.
     *
     * @param seen how often it was
     * @param stands for how much it does: as often as it was seen, or so many bytes
     * @param room pays for nodes that are new
     * @return its last frame's node; -1 if it is left out
     */
    int add(int[] stack, long seen, long stands, RouteTrees.Room room) {
        samples += seen;
        weight += stands;
        int node = 0;
        int known = 0;
        for (Integer next = 0; known < stack.length; known++) {
            next = children.get(key(node, stack[known]));
            if (next == null) {
                break;
            }
            node = next;
        }
        if (!room.take(stack.length - known)) {
            left += stands;
            return -1;
        }
        for (int i = known; i < stack.length; i++) {
            node = child(node, stack[i]);
        }
        weights[node] += stands;
        return node;
    }

    /** How many nodes there are, with the root. */
    int size() {
        return size;
    }

    /**
     * Triples, one for each node, children after their parents: its parent's place among them, -1 for none; its frame;
     * what it has on top.
     */
    long[] nodes() {
        return nodes(weights);
    }

    /**
     * The same where nodes have other weights; those that have none, and nothing below, are left out.
     *
     * @param selves of at least as many nodes as had any then
     */
    long[] nodes(long[] selves) {
        int known = Math.min(size, selves.length);
        boolean[] used = new boolean[known];
        int count = 0;
        for (int node = known - 1; node > 0; node--) {
            used[node] |= selves[node] != 0;
            if (used[node]) {
                used[parents[node]] = true;
                count++;
            }
        }
        long[] nodes = new long[count * 3];
        int[] places = new int[known];
        places[0] = -1;
        int at = 0;
        for (int node = 1; node < known; node++) {
            if (used[node]) {
                places[node] = at / 3;
                nodes[at++] = places[parents[node]];
                nodes[at++] = frames[node];
                nodes[at++] = selves[node];
            }
        }
        return nodes;
    }

    /** How many stacks there were. */
    long samples() {
        return samples;
    }

    /** For how much they stand. */
    long weight() {
        return weight;
    }

    /** How much of that isn't in it, for want of room. */
    long left() {
        return left;
    }

    private int child(int parent, int frame) {
        int node = size++;
        if (node == parents.length) {
            parents = Arrays.copyOf(parents, node * 2);
            frames = Arrays.copyOf(frames, node * 2);
            weights = Arrays.copyOf(weights, node * 2);
        }
        parents[node] = parent;
        frames[node] = frame;
        children.put(key(parent, frame), node);
        return node;
    }

    private static long key(int parent, int frame) {
        return (long) parent << 32 | frame;
    }
}
