package dev.understudy.sidecar.console;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The session's story: what was ordered, lost, switched and begun anew, in the order in which it happened.
 *
 * <p>It hears all events and keeps the newest {@value #KEPT} of each kind, so that no kind drives out another. Losses
 * of one copy for one reason that follow within half a minute are one entry, with their number. Of divergences it keeps
 * only the first of each copy and epoch: the rest are exchanges. Guarded by {@code this}; any thread.
 */
public final class Timeline {
    static final int KEPT = 50;

    private static final long MERGED_MILLIS = 30_000;
    private static final Set<String> KINDS = Set.of(
            "alert",
            "order",
            "loss",
            "overflow",
            "divergence",
            "debug",
            "production",
            "tee",
            "recording",
            "resync",
            "lanes");
    private static final List<String> LOST = List.of("connections", "bytes");
    private static final int MOST_COPIES = 1_000;

    private final Map<String, Deque<Entry>> kinds = new LinkedHashMap<>();
    private final Set<List<Object>> diverged = new HashSet<>();
    private long revision;

    /**
     * Something that happened, once or several times.
     *
     * @param number by which entries are in order; another one when it has happened again
     * @param at when it happened first, in milliseconds since 1970
     * @param until when it happened last
     * @param times how often
     * @param what the last event as {@code /v1/events} has it, with the losses of all
     */
    record Entry(long number, String kind, long at, long until, long times, Map<String, Object> what) {}

    /** Hears of an event; kinds that belong to no story are passed over. */
    public synchronized void add(String kind, Map<String, Object> what) {
        if (!KINDS.contains(kind) || (kind.equals("divergence") && !isFirst(what))) {
            return;
        }
        if (kind.equals("resync")) {
            diverged.clear();
        }
        long at = what.get("at") instanceof Number given ? given.longValue() : 0;
        Deque<Entry> newest = kinds.computeIfAbsent(kind, added -> new ArrayDeque<>());
        Entry last = newest.peekLast();
        revision++;
        if (last != null && isSame(kind, last, what, at)) {
            newest.removeLast();
            newest.addLast(new Entry(revision, kind, last.at(), at, last.times() + 1, added(last.what(), what)));
            return;
        }
        newest.addLast(new Entry(revision, kind, at, at, 1, what));
        if (newest.size() > KEPT) {
            newest.removeFirst();
        }
    }

    /** Another one whenever something has happened. */
    public synchronized long revision() {
        return revision;
    }

    /** The newest entries, the newest first; all kinds if {@code kind} is "". */
    synchronized List<Entry> newest(String kind, int limit) {
        List<Entry> all = new ArrayList<>();
        kinds.forEach((name, entries) -> {
            if (kind.isEmpty() || kind.equals(name)) {
                all.addAll(entries);
            }
        });
        all.sort(Comparator.comparingLong(Entry::number).reversed());
        return List.copyOf(all.subList(0, Math.min(limit, all.size())));
    }

    static boolean isKind(String kind) {
        return KINDS.contains(kind);
    }

    private boolean isFirst(Map<String, Object> divergence) {
        return diverged.size() < MOST_COPIES
                && diverged.add(
                        List.of(String.valueOf(divergence.get("listener")), String.valueOf(divergence.get("debug"))));
    }

    /** A connection's loss may be told of in parts, of which only the first counts it. */
    private static Map<String, Object> added(Map<String, Object> before, Map<String, Object> what) {
        Map<String, Object> all = new LinkedHashMap<>(what);
        for (String lost : LOST) {
            if (before.get(lost) instanceof Number earlier && what.get(lost) instanceof Number later) {
                all.put(lost, earlier.longValue() + later.longValue());
            }
        }
        return all;
    }

    private static boolean isSame(String kind, Entry last, Map<String, Object> what, long at) {
        boolean lost = kind.equals("loss") || kind.equals("overflow");
        return lost
                && at - last.until() <= MERGED_MILLIS
                && Objects.equals(last.what().get("listener"), what.get("listener"))
                && Objects.equals(last.what().get("debug"), what.get("debug"))
                && Objects.equals(last.what().get("reason"), what.get("reason"));
    }
}
