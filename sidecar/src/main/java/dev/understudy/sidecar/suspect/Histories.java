package dev.understudy.sidecar.suspect;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.LinkedHashMap;

/**
 * What was observed of a connection lately, for protocols whose requests find what earlier ones left: an exchange may fail for what
 * was done in one before it, so these count along. Not for several threads.
 */
final class Histories {
    /** So many earlier exchanges count along. */
    static final int EARLIER = 8;

    /** Predicates that all of them may hold together. */
    private static final int ROOM = 1 << 20;

    private final LinkedHashMap<Long, Deque<Run>> connections = new LinkedHashMap<>(16, 0.75f, true);
    private int room;

    /** The run with those before it on its connection; after one that failed a history begins anew. */
    Run with(Run run, boolean failed) {
        Deque<Run> earlier = connections.computeIfAbsent(run.ending.connection(), any -> new ArrayDeque<>());
        Run joined = joined(earlier, run);
        earlier.add(run);
        room += size(run);
        while (failed ? !earlier.isEmpty() : earlier.size() > EARLIER) {
            room -= size(earlier.remove());
        }
        while (room > ROOM) {
            Deque<Run> eldest =
                    connections.remove(connections.keySet().iterator().next());
            room -= eldest == null
                    ? 0
                    : eldest.stream().mapToInt(Histories::size).sum();
        }
        return joined;
    }

    /** What it takes beside what it holds is counted too. */
    private static int size(Run run) {
        return run.size() + 64;
    }

    /** Whole if all of them are, and none between them wasn't observed. */
    private static Run joined(Deque<Run> earlier, Run run) {
        int most = run.held.length
                + earlier.stream().mapToInt(one -> one.held.length).sum();
        int[] held = new int[most];
        BitSet seen = new BitSet();
        int count = 0;
        int[] calls = run.calls;
        boolean whole = run.whole;
        long next = earlier.isEmpty() ? 0 : earlier.getFirst().ending.place().from();
        for (Run one : earlier) {
            whole &= one.whole && one.ending.place().from() == next;
            next = one.ending.place().to();
            count = add(one.held, held, count, seen);
            calls = both(calls, one.calls);
        }
        whole &= earlier.isEmpty() || run.ending.place().from() == next;
        return new Run(
                Arrays.copyOf(held, add(run.held, held, count, seen)),
                calls,
                whole,
                run.closed,
                run.ending,
                run.after,
                run.why);
    }

    private static int[] both(int[] calls, int[] more) {
        int[] both = Arrays.copyOf(calls, calls.length + more.length);
        System.arraycopy(more, 0, both, calls.length, more.length);
        return both;
    }

    private static int add(int[] more, int[] held, int count, BitSet seen) {
        int end = count;
        for (int predicate : more) {
            if (!seen.get(predicate)) {
                seen.set(predicate);
                held[end++] = predicate;
            }
        }
        return end;
    }
}
