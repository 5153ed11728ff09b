package dev.understudy.standin.print;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

/** How far right each node is: right of all its callers, except where arrows form a ring. */
final class ArrowRanks {
    private final List<List<Integer>> callees = new ArrayList<>();
    private final boolean[] begun;
    private final boolean[] done;
    /** The nodes in the reverse of the order in which they were done: callers before whom they call. */
    private final Deque<Integer> order = new ArrayDeque<>();

    /** A node on the way from a root, and those that it calls that are still to be looked at. */
    private record Way(int node, Iterator<Integer> ahead) {}

    private ArrowRanks(int nodes, List<ServiceArrow> arrows) {
        begun = new boolean[nodes];
        done = new boolean[nodes];
        for (int i = 0; i < nodes; i++) {
            callees.add(new ArrayList<>());
        }
        arrows.forEach(arrow -> callees.get(arrow.from()).add(arrow.to()));
    }

    /** The rank of each node, from 0. */
    static int[] of(int nodes, List<ServiceArrow> arrows) {
        ArrowRanks ranks = new ArrowRanks(nodes, arrows);
        double[] in = new double[nodes];
        double[] all = new double[nodes];
        for (ServiceArrow arrow : arrows) {
            in[arrow.to()] += arrow.isOwn() ? 0 : arrow.calls();
            all[arrow.to()] += arrow.calls();
            all[arrow.from()] += arrow.calls();
        }
        // where all are called, as in a ring, it begins with the one that is called least beside what it calls
        IntStream.range(0, nodes)
                .boxed()
                .sorted(Comparator.comparingDouble(node -> in[node] / Math.max(1, all[node])))
                .forEach(ranks::visit);
        return ranks.longest(nodes);
    }

    private void visit(int root) {
        Deque<Way> way = new ArrayDeque<>();
        if (begin(root)) {
            way.push(new Way(root, callees.get(root).iterator()));
        }
        while (!way.isEmpty()) {
            Way last = way.element();
            if (!last.ahead.hasNext()) {
                done[last.node] = true;
                order.push(last.node);
                way.pop();
                continue;
            }
            Integer callee = last.ahead.next();
            if (begin(callee)) {
                way.push(new Way(callee, callees.get(callee).iterator()));
            } else if (!done[callee]) {
                last.ahead.remove(); // it leads back
            }
        }
    }

    private boolean begin(int node) {
        boolean isNew = !begun[node];
        begun[node] = true;
        return isNew;
    }

    private int[] longest(int nodes) {
        int[] ranks = new int[nodes];
        for (int node : order) {
            for (int callee : callees.get(node)) {
                ranks[callee] = Math.max(ranks[callee], ranks[node] + 1);
            }
        }
        return ranks;
    }
}
