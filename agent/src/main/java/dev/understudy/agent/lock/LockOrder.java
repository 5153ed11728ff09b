package dev.understudy.agent.lock;

import dev.understudy.agent.bootstrap.lock.Holding;
import dev.understudy.agent.bootstrap.lock.LockRef;
import dev.understudy.agent.bootstrap.lock.Nesting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The order in which locks are taken: a graph of objects, with an edge from each that was held to one that was taken
 * meanwhile.
 *
 * <p>A circle is told only of the very same objects, so that trees and lists whose nodes are locked from above are
 * nobody's suspects, and only if its threads may meet in it: no lock may be held by two of them throughout (as in
 * Havelund's Goodlock, 2000), unless both only read; and nobody who reads waits for one who reads. At most
 * {@value #MOST_EDGES} edges are kept, the latest. {@link #take} is confined to one thread; {@link #cycles} is for any.
 */
public final class LockOrder {
    static final int MOST_EDGES = 8192;
    static final int MOST_CYCLES = 20;
    private static final int LONGEST = 6;
    /** What looking for one circle may try. */
    private static final int STEPS = 10_000;

    private static final int AT_A_TIME = 1024;

    private final Supplier<@Nullable Nesting> source;
    private final LinkedHashSet<Edge> edges = new LinkedHashSet<>();
    private final Map<LockRef, List<Edge>> from = new HashMap<>();
    private final Set<Set<Long>> told = new HashSet<>();
    private volatile List<LockCycle> cycles = List.of();
    private int steps;

    /** @param source gives the next nesting, or null */
    public LockOrder(Supplier<@Nullable Nesting> source) {
        this.source = source;
    }

    /** Takes in what there is. */
    public void take() {
        Nesting nesting = source.get();
        for (int taken = 0; nesting != null && taken < AT_A_TIME; taken++) {
            add(nesting);
            nesting = source.get();
        }
    }

    /** The circles that were found, each once, however many objects it was seen of; at most {@value #MOST_CYCLES}. */
    public List<LockCycle> cycles() {
        return cycles;
    }

    private void add(Nesting nesting) {
        Map<LockRef, Boolean> all = new HashMap<>();
        nesting.held().forEach(one -> all.merge(one.lock(), one.isShared(), Boolean::logicalAnd));
        for (Holding held : nesting.held()) {
            Edge edge = new Edge(held, all, nesting);
            if (edges.add(edge)) {
                index(edge);
                if (edges.size() > MOST_EDGES) {
                    forget();
                }
                steps = STEPS;
                List<Edge> way = new ArrayList<>(List.of(edge));
                if (leadsBack(way)) {
                    tell(way);
                }
            }
        }
    }

    /** Those of locks that are gone, and if these aren't many, the eldest. */
    private void forget() {
        edges.removeIf(Edge::isGone);
        Iterator<Edge> eldest = edges.iterator();
        while (edges.size() > MOST_EDGES / 2) {
            eldest.next();
            eldest.remove();
        }
        from.clear();
        edges.forEach(this::index);
    }

    private void index(Edge edge) {
        from.computeIfAbsent(edge.held.lock(), any -> new ArrayList<>()).add(edge);
    }

    /** Whether the way can be made a circle; it is one then. */
    private boolean leadsBack(List<Edge> way) {
        Edge last = way.get(way.size() - 1);
        for (Edge next : from.getOrDefault(last.taken.lock(), List.of())) {
            if (--steps < 0) {
                return false;
            }
            if (!last.waitsFor(next) || way.stream().anyMatch(one -> one.shares(next))) {
                continue;
            }
            way.add(next);
            if (next.waitsFor(way.get(0)) || (way.size() < LONGEST && leadsBack(way))) {
                return true;
            }
            way.remove(way.size() - 1);
        }
        return false;
    }

    private void tell(List<Edge> way) {
        Set<Long> places = new HashSet<>();
        List<LockCycle.Step> spelled = new ArrayList<>();
        for (Edge edge : way) {
            places.add((long) edge.held.place() << 32 | edge.taken.place());
            spelled.add(new LockCycle.Step(
                    edge.held.type(),
                    edge.held.place(),
                    edge.taken.place(),
                    edge.nesting.thread(),
                    edge.nesting.stack()));
        }
        if (told.size() < MOST_CYCLES && told.add(places)) {
            List<LockCycle> all = new ArrayList<>(cycles);
            all.add(new LockCycle(spelled));
            cycles = List.copyOf(all);
        }
    }

    /** One lock was held while another was taken, with these locks held in all. */
    private static final class Edge {
        private final Holding held;
        /** And whether each was only to read. */
        private final Map<LockRef, Boolean> all;

        private final Holding taken;
        private final Nesting nesting;

        Edge(Holding held, Map<LockRef, Boolean> all, Nesting nesting) {
            this.held = held;
            this.all = all;
            this.taken = nesting.taken();
            this.nesting = nesting;
        }

        /** Whether nobody can hold one of its locks, or take it, any more. */
        boolean isGone() {
            return held.lock().get() == null || taken.lock().get() == null;
        }

        /**
         * Whether its thread can't have what it takes while another is there: it is the other's, and one of them
         * writes.
         */
        boolean waitsFor(Edge other) {
            return taken.lock().equals(other.held.lock()) && !(taken.isShared() && other.held.isShared());
        }

        /** Whether no two threads can be here and there at the same time, or both would be waited for at once. */
        boolean shares(Edge other) {
            return held.lock().equals(other.held.lock())
                    || other.all.entrySet().stream().anyMatch(one -> {
                        Boolean reads = all.get(one.getKey());
                        return reads != null && !(reads && one.getValue());
                    });
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Edge
                    && same(((Edge) other).held, held)
                    && same(((Edge) other).taken, taken)
                    && ((Edge) other).all.equals(all);
        }

        private static boolean same(Holding one, Holding other) {
            return one.isShared() == other.isShared() && one.lock().equals(other.lock());
        }

        @Override
        public int hashCode() {
            return held.lock().hashCode() * 31 + taken.lock().hashCode();
        }
    }
}
