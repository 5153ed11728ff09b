package dev.understudy.agent.bootstrap;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What may hold of a call: bits of one mask per method and exchange, and the kinds' numbers in predicate ids.
 *
 * <p>A predicate's id is {@code number * KINDS + kind}, where a probe's number is its own and a branch's or value's is
 * {@link #BRANCHES} more.
 */
public final class ObservedPredicate {
    /** How many kinds there can be. */
    public static final int KINDS = 16;
    /** What is added to the number of a branch or value. */
    public static final int BRANCHES = Probes.CAPACITY;

    static final int CALLED = 0;
    static final int THREW = 1;
    /** Its own time, without that of the calls inside it, was far above what is usual for it. */
    static final int SLOW = 2;
    /** Its own time could be judged, and was usual. */
    static final int USUAL = 3;

    static final int NULL = 4;
    static final int NOT_NULL = 5;
    static final int EMPTY = 6;
    static final int NOT_EMPTY = 7;
    static final int TRUE = 8;
    static final int FALSE = 9;
    static final int NEGATIVE = 10;
    static final int ZERO = 11;
    static final int POSITIVE = 12;

    /** Of a branch: it jumped, or of a switch: it went this way. */
    static final int JUMPED = 13;
    /** Of a branch: it went on. */
    static final int WENT_ON = 14;

    private static final String IMMUTABLE = "java.util.ImmutableCollections$";

    private ObservedPredicate() {}

    static int of(boolean value) {
        return value ? 1 << TRUE : 1 << FALSE;
    }

    static int of(int sign) {
        return sign == 0 ? 1 << ZERO : sign < 0 ? 1 << NEGATIVE : 1 << POSITIVE;
    }

    static int of(@Nullable Object value) {
        if (value == null) {
            return 1 << NULL;
        }
        int empty = emptiness(value);
        return 1 << NOT_NULL | (empty < 0 ? 0 : empty == 0 ? 1 << NOT_EMPTY : 1 << EMPTY);
    }

    /** 1 if empty, 0 if not, -1 if that can't be known without calling something that might be the application's. */
    private static int emptiness(Object value) {
        if (value instanceof String) {
            return flag(((String) value).isEmpty());
        }
        if (value instanceof Boolean) {
            return -1;
        }
        Class<?> type = value.getClass();
        if (type.isArray()) {
            return flag(java.lang.reflect.Array.getLength(value) == 0);
        }
        if (type == ArrayList.class
                || type == LinkedList.class
                || type == HashSet.class
                || type == LinkedHashSet.class
                || type == ArrayDeque.class) {
            return flag(((java.util.Collection<?>) value).isEmpty());
        }
        if (type == HashMap.class || type == LinkedHashMap.class || type == TreeMap.class) {
            return flag(((java.util.Map<?, ?>) value).isEmpty());
        }
        if (type == Optional.class) {
            return flag(((Optional<?>) value).isEmpty());
        }
        if (type.getName().startsWith(IMMUTABLE)) {
            return value instanceof java.util.Collection
                    ? flag(((java.util.Collection<?>) value).isEmpty())
                    : value instanceof java.util.Map ? flag(((java.util.Map<?, ?>) value).isEmpty()) : -1;
        }
        return -1;
    }

    private static int flag(boolean empty) {
        return empty ? 1 : 0;
    }
}
