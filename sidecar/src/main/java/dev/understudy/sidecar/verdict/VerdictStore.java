package dev.understudy.sidecar.verdict;

import dev.understudy.divergence.compare.VerdictKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Keeps the last verdicts of each kind, so that many equal replies don't push out the few that differ. */
public final class VerdictStore {
    private final int perKind;
    private final Map<VerdictKind, ArrayDeque<Judged>> rings =
            new EnumMap<>(VerdictKind.class); // guarded by the ring itself
    private final Map<VerdictKind, AtomicLong> added = new EnumMap<>(VerdictKind.class); // each with its ring

    /** A store that keeps {@code perKind} verdicts of each kind. */
    public VerdictStore(int perKind) {
        if (perKind <= 0) {
            throw new IllegalArgumentException("perKind: " + perKind + " (expected: > 0)");
        }
        this.perKind = perKind;
        for (VerdictKind kind : VerdictKind.values()) {
            rings.put(kind, new ArrayDeque<>());
            added.put(kind, new AtomicLong());
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
            added(judged.verdict().kind()).incrementAndGet();
        }
    }

    /** How many of each kind are kept. */
    public int perKind() {
        return perKind;
    }

    /** How many of a kind are gone, since newer ones came. */
    public long dropped(VerdictKind kind) {
        ArrayDeque<Judged> ring = ring(kind);
        synchronized (ring) {
            return added(kind).get() - ring.size();
        }
    }

    /** The newest {@code limit}, newest first; of one kind, or of all if {@code kind} is null. */
    public List<Judged> newest(@Nullable VerdictKind kind, int limit) {
        List<Judged> found = new ArrayList<>();
        for (VerdictKind one : kind == null ? List.of(VerdictKind.values()) : List.of(kind)) {
            ArrayDeque<Judged> ring = ring(one);
            synchronized (ring) {
                found.addAll(ring);
            }
        }
        found.sort(Comparator.comparingLong(Judged::exchange).reversed());
        return List.copyOf(found.subList(0, Math.min(limit, found.size())));
    }

    /**
     * What was added after the first {@code count} of a kind, oldest first, as far as it is still kept.
     *
     * @param count what an earlier {@link Added#count} said, or 0
     */
    public Added after(VerdictKind kind, long count) {
        ArrayDeque<Judged> ring = ring(kind);
        synchronized (ring) {
            long now = added(kind).get();
            long gone = Math.max(0, ring.size() - (now - count));
            return new Added(now, ring.stream().skip(gone).toList());
        }
    }

    /**
     * What came to a kind.
     *
     * @param count how many were ever added
     * @param judged those that are new and still kept
     */
    public record Added(long count, List<Judged> judged) {}

    private AtomicLong added(VerdictKind kind) {
        return Objects.requireNonNull(added.get(kind));
    }

    private ArrayDeque<Judged> ring(VerdictKind kind) {
        ArrayDeque<Judged> ring = rings.get(kind);
        if (ring == null) {
            throw new IllegalStateException("no ring for " + kind);
        }
        return ring;
    }
}
