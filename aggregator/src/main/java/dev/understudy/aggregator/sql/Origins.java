package dev.understudy.aggregator.sql;

import dev.understudy.aggregator.fact.Transaction;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * From which of production's transactions the answers of one debug transaction came: from several, where concurrent
 * transactions ran the same statements. Not for several threads.
 */
public final class Origins<T extends Transaction<?>> {
    /** Memory of one of production's transactions, and of its place here. */
    private static final long PER_ORIGIN = 160;

    private final Map<T, Integer> answers = new LinkedHashMap<>();

    /** One more answer came from this. */
    public void add(T origin) {
        answers.merge(origin, 1, Integer::sum);
    }

    /** The one that most answers came from, of those that their client had to end; null if there is none. */
    public @Nullable T block() {
        T most = null;
        int count = 0;
        for (Map.Entry<T, Integer> origin : answers.entrySet()) {
            if (origin.getKey().block() && origin.getValue() >= count) {
                most = origin.getKey();
                count = origin.getValue();
            }
        }
        return most;
    }

    /** The first that answers came from of which this is so; null if there is none. */
    public @Nullable T first(Predicate<T> so) {
        return answers.keySet().stream().filter(so).findFirst().orElse(null);
    }

    /** Memory that they take. */
    public long heldBytes() {
        return PER_ORIGIN * answers.size();
    }

    /** Forgets all. */
    public void clear() {
        answers.clear();
    }
}
