package dev.understudy.sidecar.verdict;

import dev.understudy.divergence.compare.VerdictKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the aggregator said last of the upstream calls of exchanges, {@value #KEPT} of them, and how often what. For all
 * threads.
 */
public final class OutgoingStore {
    /** What may be said of an exchange. */
    public static final Set<VerdictKind> KINDS =
            Collections.unmodifiableSet(EnumSet.of(VerdictKind.SAME, VerdictKind.DIFFERENT, VerdictKind.NOT_COMPARED));

    private static final int KEPT = 4_096;
    private static final int FIRST = 100;

    private final Map<Long, Outgoing> latest = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Outgoing> eldest) {
            return size() > KEPT;
        }
    };
    private final List<Outgoing> different = new ArrayList<>();
    private final Map<VerdictKind, Long> counts = new EnumMap<>(VerdictKind.class);

    /** Keeps one. */
    public synchronized void add(Outgoing outgoing) {
        latest.put(outgoing.exchange(), outgoing);
        counts.merge(outgoing.kind(), 1L, Long::sum);
        if (outgoing.kind() == VerdictKind.DIFFERENT && different.size() < FIRST) {
            different.add(outgoing);
        }
    }

    /** What was said of an exchange; null if nothing was, or it is forgotten. */
    public synchronized @Nullable Outgoing of(long exchange) {
        return latest.get(exchange);
    }

    /** The first {@value #FIRST} that differed, oldest first. */
    public synchronized List<Outgoing> firstDifferent() {
        return List.copyOf(different);
    }

    /** How many exchanges had this outcome. */
    public synchronized long count(VerdictKind kind) {
        return counts.getOrDefault(kind, 0L);
    }
}
