package dev.understudy.sidecar.suspect;

import dev.understudy.sidecar.label.ExchangeOutcome;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Stream;

/**
 * What was observed of a connection lately, for protocols whose requests find what earlier ones left: an exchange may
 * fail for what was done in one before it, so these count along. Not for several threads.
 */
final class Histories {
    /** So many earlier exchanges count along. */
    static final int EARLIER = 8;

    /** Predicates that all of them may hold together. */
    private static final int ROOM = 1 << 20;

    private static final Deque<Past> NOTHING = new ArrayDeque<>();

    private final LinkedHashMap<Long, Deque<Past>> connections = new LinkedHashMap<>(16, 0.75f, true);
    private final Methods methods;
    private int room;

    /** @param methods what the numbers stand for */
    Histories(Methods methods) {
        this.methods = methods;
    }

    /**
     * What those before it on the connection came to, if a history goes on with them: each with its own history, the
     * eldest first.
     */
    List<Run> before(ExchangeOutcome ending) {
        return earlier(ending).map(Past::joined).toList();
    }

    /** The run with those before it on its connection; after one that failed a history begins anew. */
    Run with(Run run, boolean failed) {
        List<Past> earlier = earlier(run.ending).toList();
        Run joined = joined(earlier, run);
        if (failed) {
            forget(run.ending.connection(), earlier);
        } else {
            Deque<Past> connection = connections.computeIfAbsent(run.ending.connection(), any -> new ArrayDeque<>());
            Past past = new Past(lasting(run), joined);
            connection.add(past);
            room += past.size();
            if (connection.size() > EARLIER) {
                room -= connection.remove().size();
            }
        }
        while (room > ROOM) {
            Deque<Past> eldest =
                    connections.remove(connections.keySet().iterator().next());
            room -= eldest == null ? 0 : eldest.stream().mapToInt(Past::size).sum();
        }
        return joined;
    }

    private void forget(long connection, List<Past> some) {
        Deque<Past> all = connections.get(connection);
        if (all != null) {
            all.removeAll(some);
            some.forEach(past -> room -= past.size());
            if (all.isEmpty()) {
                connections.remove(connection);
            }
        }
    }

    private Stream<Past> earlier(ExchangeOutcome ending) {
        return connections.getOrDefault(ending.connection(), NOTHING).stream()
                .filter(past -> past.alone.ending.place().to() <= ending.place().from());
    }

    /** What may still tell later: how long a call took is over with its exchange. */
    private Run lasting(Run run) {
        int[] held = Arrays.stream(run.held)
                .filter(predicate -> !methods.isTime(predicate))
                .toArray();
        return new Run(held, run.calls, run.whole, run.closed, run.ending, run.after, run.why);
    }

    /** Whole if all of them are, and none between them wasn't observed. */
    private static Run joined(List<Past> earlier, Run run) {
        int most = run.held.length
                + earlier.stream().mapToInt(one -> one.alone.held.length).sum();
        int[] held = new int[most];
        BitSet seen = new BitSet();
        int count = 0;
        int[] calls = run.calls;
        boolean whole = run.whole;
        long next = earlier.isEmpty() ? 0 : earlier.get(0).alone.ending.place().from();
        for (Past past : earlier) {
            Run one = past.alone;
            whole &= one.whole && one.ending.place().from() == next;
            next = one.ending.place().to();
            count = add(one.held, held, count, seen);
            calls = both(calls, one.calls);
        }
        whole &= earlier.isEmpty() || run.ending.place().from() == next;
        return earlier.isEmpty()
                ? run
                : new Run(Arrays.copyOf(held, add(run.held, held, count, seen)), calls, whole, run);
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

    /** A run by itself, and with those before it. */
    private record Past(Run alone, Run joined) {
        /** What it takes beside what it holds is counted too. */
        int size() {
            return alone.size() + joined.size() + 64;
        }
    }
}
