package dev.understudy.aggregator.journal.past;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What the replies of a journal have in common: small values that many of them hold, and facts that belong to none of
 * them.
 *
 * <p>Bounded; safe for all threads.
 */
public final class Common {
    private static final int MOST_VALUES = 4_096;

    /** They are few: greetings, parameters. More than this is a mistake of the protocol's code. */
    private static final int MOST_FACTS = 256;

    private final Map<Object, Object> values = new ConcurrentHashMap<>();
    private final Map<String, Object> facts = new ConcurrentHashMap<>();

    /**
     * A small value that many replies have, such as a header or a list of columns, so that it is in memory once: an
     * equal one of those that were given before, or else this one. When there are too many, it begins anew.
     */
    public <T> T once(T value) {
        Object known = values.putIfAbsent(value, value);
        if (known == null && values.size() > MOST_VALUES) {
            values.clear();
        }
        @SuppressWarnings("unchecked")
        T equal = known == null ? value : (T) known;
        return equal;
    }

    /** Publishes something that replay may need and that belongs to no exchange, such as a server's greeting. */
    public void share(String key, Object fact) {
        share(key, fact, (known, latest) -> latest);
    }

    /**
     * The same, together with what is known under that key.
     *
     * @param both makes one of what is known, which is of the same type, and of what is new
     */
    public <T> void share(String key, T fact, BinaryOperator<T> both) {
        if (facts.size() < MOST_FACTS || facts.containsKey(key)) {
            @SuppressWarnings("unchecked")
            BinaryOperator<Object> merged = (known, added) -> both.apply((T) known, (T) added);
            facts.merge(key, fact, merged);
        }
    }

    /** The fact last published under a key; null if there is none of this type. */
    public <T> @Nullable T known(String key, Class<T> type) {
        Object fact = facts.get(key);
        return type.isInstance(fact) ? type.cast(fact) : null;
    }
}
