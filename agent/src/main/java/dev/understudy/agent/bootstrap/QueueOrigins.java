package dev.understudy.agent.bootstrap;

import java.lang.ref.WeakReference;
import java.nio.Buffer;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Which elements of queues were put there by whom; found by the element itself and never by what it is equal to.
 *
 * <p>A table of fixed size, as {@link TaskOrigins}, that keeps no element alive. It remembers those that were taken as
 * long as it has room, to know them when they come again. Safe for any threads; never waits.
 */
final class QueueOrigins {
    static final int PLACES = 1 << 14;

    private static final int WAYS = 8;
    private static final int SHIFT = Integer.numberOfLeadingZeros(PLACES) + 1;
    private static final AtomicReferenceArray<@Nullable Entry> AT = new AtomicReferenceArray<>(PLACES);
    private static final ClassValue<Kind> KINDS = new ClassValue<>() {
        @Override
        protected Kind computeValue(Class<?> type) {
            return new Kind(isShared(type));
        }
    };

    /** Whether there ever was one; whoever takes an element sees it, since he sees the element. */
    private static boolean used;
    /** Whether one was ever put aside. */
    private static boolean aside;

    private QueueOrigins() {}

    /** Whether what becomes of it says something about who has put it there. */
    static boolean isFollowed(Object element) {
        return !KINDS.get(element.getClass()).shared;
    }

    /** Remembers who has put it there; false if there is no place. */
    static boolean put(Object element, ServedExchange origin, @Nullable CallSample top, @Nullable Pieces pieces) {
        if (!used && !TaskOrigins.isTrial(origin)) {
            used = true;
        }
        int first = first(element);
        Entry entry = new Entry(element, origin, top, pieces, true, null);
        for (int tries = 0; tries < WAYS; tries++) {
            int place = place(element, first);
            Entry before = place < 0 ? null : AT.get(place);
            if (before == null || before.get() != element) {
                return place < 0 ? putFresh(entry, first) : true;
            }
            if (before.origin != origin && before.origin != null) {
                KINDS.get(element.getClass()).shared = true;
            }
            Entry next = before.origin == origin ? entry : new Entry(element, null, null, null, false, null);
            if (AT.compareAndSet(place, before, next)) {
                return true;
            }
        }
        return true;
    }

    private static boolean putFresh(Entry entry, int first) {
        for (int pass = 0; pass < 2; pass++) {
            for (int i = 0; i < WAYS; i++) {
                int place = (first + i) & (PLACES - 1);
                Entry before = AT.get(place);
                boolean free = before == null || before.get() == null || (pass > 0 && before.isIdle());
                if (free && AT.compareAndSet(place, before, entry)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Put there by a thread that works for no exchange. */
    static void putByNobody(Object element) {
        if (!isUsed() || !isFollowed(element)) {
            return;
        }
        int place = place(element, first(element));
        Entry before = place < 0 ? null : AT.get(place);
        if (before != null && before.get() == element) {
            AT.compareAndSet(place, before, new Entry(element, null, null, null, false, null));
        }
    }

    /** Who has put it there, or null if that isn't known or not one alone; once for each time that it was put there. */
    static @Nullable Entry take(Object element) {
        if (!isUsed() || !isFollowed(element)) {
            return null;
        }
        int place = place(element, first(element));
        Entry entry = place < 0 ? null : AT.get(place);
        return entry != null
                        && entry.waits
                        && entry.get() == element
                        && AT.compareAndSet(place, entry, new Entry(element, entry.origin, null, null, false, null))
                ? entry
                : null;
    }

    /** The thread that took it out of {@code source} for {@code origin} puts it aside, to work on it later. */
    static void putAside(
            Object element, ServedExchange origin, @Nullable CallSample top, @Nullable Pieces pieces, Object source) {
        Kind kind = KINDS.get(element.getClass());
        int place = kind.shared ? -1 : place(element, first(element));
        Entry before = place < 0 ? null : AT.get(place);
        if (before != null && before.get() == element && !before.waits && before.origin == origin) {
            aside |= !TaskOrigins.isTrial(origin);
            kind.aside = true;
            AT.compareAndSet(place, before, new Entry(element, origin, top, pieces, true, new WeakReference<>(source)));
        }
    }

    /**
     * As {@link #take}, of one that was put aside; of classes of which none ever was, that is known without looking for
     * it.
     */
    static @Nullable Entry takeAside(Object element) {
        return hasAside() && KINDS.get(element.getClass()).aside ? take(element) : null;
    }

    /** Whether one was ever put aside. */
    static boolean hasAside() {
        return aside || TaskOrigins.isTrial();
    }

    /** Whether anything was ever put into a queue for an exchange. */
    static boolean isUsed() {
        return used || TaskOrigins.isTrial();
    }

    /** How many places are taken, whatever by. */
    static int size() {
        int size = 0;
        for (int i = 0; i < PLACES; i++) {
            size += AT.get(i) == null ? 0 : 1;
        }
        return size;
    }

    /**
     * Values, which many have; the JVM's own; bytes, which are used again; ours; and tasks whose makers are remembered.
     */
    private static boolean isShared(Class<?> type) {
        String name = type.getName();
        return type.isArray()
                || Enum.class.isAssignableFrom(type)
                || Buffer.class.isAssignableFrom(type)
                || ForkJoinTask.class.isAssignableFrom(type)
                || type.getClassLoader() instanceof AgentClassLoader
                || name.startsWith("java.lang.")
                || (type.getClassLoader() == null && name.startsWith("dev.understudy."));
    }

    private static int place(Object element, int first) {
        for (int i = 0; i < WAYS; i++) {
            int place = (first + i) & (PLACES - 1);
            Entry entry = AT.get(place);
            if (entry != null && entry.get() == element) {
                return place;
            }
        }
        return -1;
    }

    private static int first(Object element) {
        return (System.identityHashCode(element) * 0x9E3779B9) >>> SHIFT;
    }

    /** What is known of the objects of one class. */
    private static final class Kind {
        /** Whether several exchanges have the same object. */
        volatile boolean shared;
        /** Whether one was ever put aside; whoever takes that one sees it, since he sees the element. */
        boolean aside;

        Kind(boolean shared) {
            this.shared = shared;
        }
    }

    /** One element, and who has put it there. Immutable. */
    static final class Entry extends WeakReference<Object> {
        /** Null if there were several, or nobody. */
        final @Nullable ServedExchange origin;
        /** The sampled call that was open when it was put there. */
        final @Nullable CallSample top;
        /** Where what is observed of it goes, or null if it isn't observed. */
        final @Nullable Pieces pieces;
        /** Whether it is still there. */
        final boolean waits;

        private final @Nullable WeakReference<Object> source;

        private Entry(
                Object element,
                @Nullable ServedExchange origin,
                @Nullable CallSample top,
                @Nullable Pieces pieces,
                boolean waits,
                @Nullable WeakReference<Object> source) {
            super(element);
            this.origin = origin;
            this.top = top;
            this.pieces = pieces;
            this.waits = waits;
            this.source = source;
        }

        /** Of one that was put aside: the queue that it came from, or null if that is gone. */
        @Nullable
        Object source() {
            return source == null ? null : source.get();
        }

        private boolean isIdle() {
            return !waits || (origin != null && origin.ended);
        }
    }
}
