package dev.understudy.agent.value;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.AbstractList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicStampedReference;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What may be asked of the JDK's own classes, which is what surely asks none of the application's. A class counts only
 * if it is one of these itself: the application's {@code ArrayList} with another {@code size()} isn't. Stateless.
 */
public final class Known {
    private static final int MOST_BITS = 2048;
    private static final int LARGEST_SCALE = 600;
    private static final int LONGEST_MESSAGE = 2000;
    private static final int DEEPEST = 3;

    /** Of those whose size is a field. */
    private static final Set<Class<?>> COLLECTIONS = Set.of(
            ArrayList.class,
            LinkedList.class,
            ArrayDeque.class,
            HashSet.class,
            LinkedHashSet.class,
            CopyOnWriteArrayList.class,
            Arrays.asList("").getClass(),
            List.of().getClass(),
            List.of("").getClass(),
            Set.of().getClass(),
            Set.of("").getClass(),
            Collections.emptyList().getClass(),
            Collections.emptySet().getClass(),
            Collections.singletonList("").getClass(),
            Collections.singleton("").getClass());

    private static final Set<Class<?>> MAPS = Set.of(
            HashMap.class,
            LinkedHashMap.class,
            TreeMap.class,
            ConcurrentHashMap.class,
            Map.of().getClass(),
            Map.of("", "").getClass(),
            Collections.emptyMap().getClass(),
            Collections.singletonMap("", "").getClass());

    private static final Set<Class<?>> ATOMIC_ARRAYS =
            Set.of(AtomicIntegerArray.class, AtomicLongArray.class, AtomicReferenceArray.class);

    /** What is in them is a field, without its lock. */
    private static final Set<Class<?>> WRAPPERS = Set.of(
            AtomicReference.class,
            AtomicMarkableReference.class,
            AtomicStampedReference.class,
            Optional.class,
            OptionalInt.class,
            OptionalLong.class,
            OptionalDouble.class);

    /** Immutable, and their texts are made of their own fields. */
    private static final Set<Class<?>> TEXTS = Set.of(
            UUID.class,
            LocalDate.class,
            LocalTime.class,
            LocalDateTime.class,
            OffsetDateTime.class,
            Instant.class,
            Duration.class);

    private Known() {}

    /** Numbers as Long or Double, a char as a text, what atomic numbers hold; anything else as it is. */
    public static @Nullable Object plain(@Nullable Object value) {
        if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        if (value instanceof Float) {
            return (double) (Float) value;
        }
        if (value instanceof Character) {
            return String.valueOf((char) (Character) value);
        }
        if (value == null) {
            return null;
        }
        Class<?> type = value.getClass();
        if (type == AtomicInteger.class || type == AtomicLong.class || type == LongAdder.class) {
            return ((Number) value).longValue();
        }
        if (type == DoubleAdder.class) {
            return ((DoubleAdder) value).sum();
        }
        return type == AtomicBoolean.class ? (Object) ((AtomicBoolean) value).get() : value;
    }

    /** What a reference or an optional holds, a few deep; anything else as it is. */
    static @Nullable Object unwrapped(@Nullable Object value) {
        Object inner = value;
        for (int depth = 0; depth < DEEPEST && inner != null && WRAPPERS.contains(inner.getClass()); depth++) {
            inner = wrapped(inner);
        }
        return inner;
    }

    /** Whether it is what {@link #unwrapped} leaves out. */
    static boolean wraps(Object value) {
        return WRAPPERS.contains(value.getClass());
    }

    /** What is in one of {@link #WRAPPERS}; null if nothing is. */
    static @Nullable Object wrapped(Object wrapper) {
        if (wrapper instanceof AtomicReference) {
            return ((AtomicReference<?>) wrapper).get();
        }
        if (wrapper instanceof AtomicMarkableReference) {
            return ((AtomicMarkableReference<?>) wrapper).getReference();
        }
        if (wrapper instanceof AtomicStampedReference) {
            return ((AtomicStampedReference<?>) wrapper).getReference();
        }
        if (wrapper instanceof OptionalInt) {
            OptionalInt number = (OptionalInt) wrapper;
            return number.isPresent() ? (Object) number.getAsInt() : null;
        }
        if (wrapper instanceof OptionalLong) {
            OptionalLong number = (OptionalLong) wrapper;
            return number.isPresent() ? (Object) number.getAsLong() : null;
        }
        if (wrapper instanceof OptionalDouble) {
            OptionalDouble number = (OptionalDouble) wrapper;
            return number.isPresent() ? (Object) number.getAsDouble() : null;
        }
        return ((Optional<?>) wrapper).orElse(null);
    }

    /** How many elements an array, collection or map has, or a text characters; -1 if that can't be asked. */
    public static int size(Object value) {
        if (value instanceof String) {
            return ((String) value).length();
        }
        if (value.getClass().isArray()) {
            return Array.getLength(value);
        }
        if (COLLECTIONS.contains(value.getClass())) {
            return ((Collection<?>) value).size();
        }
        Class<?> type = value.getClass();
        if (ATOMIC_ARRAYS.contains(type)) {
            return type == AtomicIntegerArray.class
                    ? ((AtomicIntegerArray) value).length()
                    : type == AtomicLongArray.class
                            ? ((AtomicLongArray) value).length()
                            : ((AtomicReferenceArray<?>) value).length();
        }
        return MAPS.contains(type) ? ((Map<?, ?>) value).size() : -1;
    }

    /** Its elements, if it is a list or set whose elements may be asked for; they may change meanwhile. */
    public static @Nullable Iterable<?> elements(Object value) {
        if (value instanceof Object[]) {
            return Arrays.asList((Object[]) value);
        }
        if (ATOMIC_ARRAYS.contains(value.getClass())) {
            return new AbstractList<@Nullable Object>() {
                @Override
                public @Nullable Object get(int place) {
                    return atomic(value, place);
                }

                @Override
                public int size() {
                    return Known.size(value);
                }
            };
        }
        return COLLECTIONS.contains(value.getClass()) ? (Collection<?>) value : null;
    }

    /** Its entries, if it is a map that may be asked for them; they may change meanwhile. */
    public static @Nullable Iterable<? extends Map.Entry<?, ?>> entries(Object value) {
        return MAPS.contains(value.getClass()) ? ((Map<?, ?>) value).entrySet() : null;
    }

    /**
     * The element at the place, from 0 and as it is, of an array or a list that knows its elements by place; else, or
     * outside, a {@link ValueFault}.
     */
    public static @Nullable Object element(Object value, long place) {
        Class<?> type = value.getClass();
        boolean list = value instanceof List && type != LinkedList.class && COLLECTIONS.contains(type);
        boolean atomic = ATOMIC_ARRAYS.contains(type);
        if (!list && !atomic && !type.isArray()) {
            return new ValueFault(shortName(type) + " has no places");
        }
        if (place < 0 || place >= size(value)) {
            return new ValueFault("place " + place + " of " + size(value));
        }
        try {
            return list
                    ? ((List<?>) value).get((int) place)
                    : atomic ? atomic(value, (int) place) : Array.get(value, (int) place);
        } catch (IndexOutOfBoundsException changed) {
            return new ValueFault("it changes");
        }
    }

    private static @Nullable Object atomic(Object array, int place) {
        if (array instanceof AtomicIntegerArray) {
            return ((AtomicIntegerArray) array).get(place);
        }
        return array instanceof AtomicLongArray
                ? (Object) ((AtomicLongArray) array).get(place)
                : ((AtomicReferenceArray<?>) array).get(place);
    }

    /**
     * The text of a plain value: texts, numbers, truth values, an enum's name, dates and times; null if it isn't one.
     */
    public static @Nullable String text(Object value) {
        if (value instanceof String || value instanceof Long || value instanceof Double || value instanceof Boolean) {
            return value.toString();
        }
        if (value instanceof Enum) {
            return ((Enum<?>) value).name();
        }
        if (value instanceof Class) {
            return ((Class<?>) value).getName();
        }
        if (TEXTS.contains(value.getClass())) {
            return value.toString();
        }
        BigDecimal number = number(value);
        return number == null ? null : number.toString();
    }

    /** A number that isn't overlong, exactly; null if it isn't one. */
    public static @Nullable BigDecimal number(Object value) {
        if (value instanceof Long) {
            return BigDecimal.valueOf((Long) value);
        }
        if (value instanceof Double) {
            double number = (Double) value;
            return Double.isNaN(number) || Double.isInfinite(number) ? null : new BigDecimal(number);
        }
        if (value.getClass() == BigInteger.class) {
            BigInteger number = (BigInteger) value;
            return number.bitLength() > MOST_BITS ? null : new BigDecimal(number);
        }
        if (value.getClass() != BigDecimal.class) {
            return null;
        }
        BigDecimal number = (BigDecimal) value;
        boolean small = Math.abs((long) number.scale()) <= LARGEST_SCALE
                && number.unscaledValue().bitLength() <= MOST_BITS;
        // a copy, so that the application's doesn't begin to remember its text
        return small ? new BigDecimal(number.unscaledValue(), number.scale()) : null;
    }

    /** The message of an exception, unless a class of the application makes it; then a {@link ValueFault}. */
    public static @Nullable Object message(Throwable thrown) {
        try {
            for (Class<?> type = thrown.getClass(); type != Throwable.class; type = type.getSuperclass()) {
                if (type.getClassLoader() != null && declaresMessage(type)) {
                    return new ValueFault(shortName(type) + " makes its message itself");
                }
            }
            String message = thrown.getMessage();
            return message == null || message.length() <= LONGEST_MESSAGE
                    ? message
                    : message.substring(0, LONGEST_MESSAGE) + "…";
        } catch (RuntimeException | LinkageError unknown) {
            return new ValueFault("its message can't be read");
        }
    }

    private static boolean declaresMessage(Class<?> type) {
        try {
            return type.getDeclaredMethod("getMessage") != null;
        } catch (NoSuchMethodException inherited) {
            return false;
        }
    }

    /** A class's name without its package. */
    public static String shortName(Class<?> type) {
        String name = type.isArray() ? type.getTypeName() : type.getName();
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
