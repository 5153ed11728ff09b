package dev.understudy.aggregator.replay;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Counts the calls of the whole run by their kind, with the newest examples of each.
 *
 * <p>Kinds are bounded. One that hasn't come for longest makes room and is counted among the other forms with the same
 * end, so that no count is lost. Safe for all threads: guarded by {@code this}.
 *
 * @param <E> an example
 */
public final class CallTally<E> {
    private static final int MOST = 1_000;
    private static final int EXAMPLES = 3;

    /** The form of kinds that made room. */
    private static final String OTHERS = "(other forms)";

    private final Map<Kind, Count<E>> kinds = new LinkedHashMap<>(64, 0.75f, true);
    private final Map<Kind, Count<E>> others = new LinkedHashMap<>();

    /**
     * What calls have in common.
     *
     * @param form without what differs from call to call
     * @param outcome what became of them
     * @param why one sentence, or what decided
     */
    public record Kind(String upstream, String form, String outcome, String why) {
        /** The kind of a call of this form. */
        public static Kind of(String upstream, String form, String outcome, String why) {
            return new Kind(upstream, FormShape.of(form), outcome, why);
        }

        private Kind among() {
            return new Kind(upstream, OTHERS, outcome, FormShape.of(why));
        }
    }

    /**
     * How often a kind came.
     *
     * @param examples the newest first
     */
    public record Counted<E>(Kind kind, long count, Instant first, Instant last, List<E> examples) {}

    synchronized void add(Kind kind, Instant at, E example) {
        Count<E> count = kinds.computeIfAbsent(kind, added -> new Count<>(at));
        count.calls++;
        count.last = at;
        count.examples.addFirst(example);
        if (count.examples.size() > EXAMPLES) {
            count.examples.removeLast();
        }
        if (kinds.size() > MOST) {
            Iterator<Map.Entry<Kind, Count<E>>> eldest = kinds.entrySet().iterator();
            Map.Entry<Kind, Count<E>> gone = eldest.next();
            eldest.remove();
            merge(gone.getKey().among(), gone.getValue());
        }
    }

    private void merge(Kind kind, Count<E> gone) {
        Kind fits = others.containsKey(kind) || others.size() < MOST ? kind : new Kind("", OTHERS, kind.outcome(), "");
        Count<E> count = others.computeIfAbsent(fits, added -> new Count<>(gone.first));
        count.calls += gone.calls;
        count.last = gone.last;
        count.examples.clear();
        count.examples.addAll(gone.examples);
    }

    /** The kinds that came most often, the most frequent first. */
    public synchronized List<Counted<E>> most(int limit) {
        return Stream.concat(kinds.entrySet().stream(), others.entrySet().stream())
                .map(entry -> entry.getValue().read(entry.getKey()))
                .sorted(Comparator.comparingLong((Counted<E> counted) -> counted.count())
                        .reversed())
                .limit(limit)
                .toList();
    }

    /** All examples that are kept. */
    synchronized List<E> examples() {
        return Stream.concat(kinds.values().stream(), others.values().stream())
                .flatMap(count -> count.examples.stream())
                .map(Objects::requireNonNull)
                .toList();
    }

    private static final class Count<E> {
        private final Instant first;
        private final ArrayDeque<E> examples = new ArrayDeque<>(EXAMPLES + 1);
        private Instant last;
        private long calls;

        Count(Instant first) {
            this.first = first;
            this.last = first;
        }

        Counted<E> read(Kind kind) {
            return new Counted<>(kind, calls, first, last, List.copyOf(examples));
        }
    }
}
