package dev.understudy.sidecar.verdict;

import dev.understudy.divergence.compare.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps the last verdicts of each kind, so that many equal replies don't push out the few that differ. */
public final class VerdictStore {
    private final int perKind;
    private final Map<Kind, ArrayDeque<Judged>> rings = new EnumMap<>(Kind.class); // guarded by the ring itself

    /** A store that keeps {@code perKind} verdicts of each kind. */
    public VerdictStore(int perKind) {
        if (perKind <= 0) {
            throw new IllegalArgumentException("perKind: " + perKind + " (expected: > 0)");
        }
        this.perKind = perKind;
        for (Kind kind : Kind.values()) {
            rings.put(kind, new ArrayDeque<>());
        }
    }

    /** Keeps one; the oldest of its kind goes when there is no room. */
    public void add(Judged judged) {
        ArrayDeque<Judged> ring = ring(judged.verdict().kind());
        synchronized (ring) {
            if (ring.size() == perKind) {
                ring.pollFirst();
            }
            ring.addLast(judged);
        }
    }

    /** The newest {@code limit}, newest first; of one kind, or of all if {@code kind} is null. */
    public List<Judged> newest(@Nullable Kind kind, int limit) {
        List<Judged> found = new ArrayList<>();
        for (Kind one : kind == null ? List.of(Kind.values()) : List.of(kind)) {
            ArrayDeque<Judged> ring = ring(one);
            synchronized (ring) {
                found.addAll(ring);
            }
        }
        found.sort(Comparator.comparingLong(Judged::exchange).reversed());
        return List.copyOf(found.subList(0, Math.min(limit, found.size())));
    }

    private ArrayDeque<Judged> ring(Kind kind) {
        ArrayDeque<Judged> ring = rings.get(kind);
        if (ring == null) {
            throw new IllegalStateException("no ring for " + kind);
        }
        return ring;
    }
}
