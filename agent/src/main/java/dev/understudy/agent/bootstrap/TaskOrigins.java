package dev.understudy.agent.bootstrap;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Which tasks were handed over by whom, until they run; found by the task itself and never by what it is equal to.
 *
 * <p>A table of fixed size that keeps no task alive: each has a few places that follow from its identity, and one whose
 * task is gone, or whose exchange is over, gives its place away. A task that several have handed over before it ran (as
 * can be done with an object that holds no state) is nobody's. Safe for any threads; never waits.
 */
final class TaskOrigins {
    static final int PLACES = 1 << 14;

    private static final int WAYS = 8;
    /** As the number of times, of what stays. */
    private static final int KEPT = Integer.MAX_VALUE;

    private static final int SHIFT = Integer.numberOfLeadingZeros(PLACES) + 1;
    private static final AtomicReferenceArray<@Nullable Entry> AT = new AtomicReferenceArray<>(PLACES);

    /** Whether there ever was one; whoever runs a task that was handed over sees it, since he sees the task. */
    private static boolean used;
    /** Whose entries are found as long as it lasts, and are no use. */
    private static volatile @Nullable ServedExchange trial;

    private TaskOrigins() {}

    /** Remembers who has handed it over; false if there is no place. */
    static boolean put(Object task, ServedExchange origin, @Nullable CallSample top, @Nullable Pieces pieces) {
        return put(task, origin, top, pieces, 1);
    }

    /**
     * As {@link #put}; as long as the exchange lasts it is its own, however often it runs and whoever else hands it
     * over.
     */
    static boolean keep(Object task, ServedExchange origin, @Nullable CallSample top, @Nullable Pieces pieces) {
        return put(task, origin, top, pieces, KEPT);
    }

    private static boolean put(
            Object task, ServedExchange origin, @Nullable CallSample top, @Nullable Pieces pieces, int times) {
        if (!used && origin != trial) {
            used = true;
        }
        int first = first(task);
        if (again(task, first, origin)) {
            return true;
        }
        Entry entry = new Entry(task, origin, top, pieces, times);
        for (int pass = 0; pass < 2; pass++) {
            for (int i = 0; i < WAYS; i++) {
                int place = (first + i) & (PLACES - 1);
                Entry before = AT.get(place);
                boolean free = before == null || before.get() == null || (pass > 0 && before.isOver());
                if (free && AT.compareAndSet(place, before, entry)) {
                    alone(task, first, place, entry);
                    return true;
                }
            }
        }
        return false;
    }

    /** Handed over by a thread that works for no exchange. */
    static void putByNobody(Object task) {
        if (isUsed()) {
            again(task, first(task), null);
        }
    }

    /** Who handed it over, or null if that isn't known or not one alone; it stays as it is. */
    static @Nullable Entry find(Object task) {
        if (!isUsed()) {
            return null;
        }
        int place = place(task, first(task));
        Entry entry = place < 0 ? null : AT.get(place);
        return entry == null || entry.get() != task || entry.origin == null ? null : entry;
    }

    /** As {@link #find}, and it is forgotten, as often as it was handed over. */
    static @Nullable Entry take(Object task) {
        if (!isUsed()) {
            return null;
        }
        int first = first(task);
        for (int tries = 0; tries < WAYS; tries++) {
            int place = place(task, first);
            Entry entry = place < 0 ? null : AT.get(place);
            if (entry == null || entry.get() != task) {
                return null;
            }
            if (entry.times == KEPT) {
                return entry;
            }
            Entry left = entry.times > 1 ? entry.with(task, entry.origin, entry.times - 1) : null;
            if (AT.compareAndSet(place, entry, left)) {
                return entry.origin == null ? null : entry;
            }
        }
        return null;
    }

    /** Whether it was handed over and hasn't run since. */
    static boolean isHeld(Object task) {
        return isUsed() && place(task, first(task)) >= 0;
    }

    static boolean isTrial() {
        return trial != null;
    }

    static boolean isTrial(ServedExchange exchange) {
        return exchange == trial;
    }

    static boolean isUsed() {
        return used || trial != null;
    }

    /** An exchange whose tasks are found as long as it is the one given last; null if there is none. */
    static void trial(@Nullable ServedExchange exchange) {
        trial = exchange;
    }

    /** How many places are taken, whatever by. */
    static int size() {
        int size = 0;
        for (int i = 0; i < PLACES; i++) {
            size += AT.get(i) == null ? 0 : 1;
        }
        return size;
    }

    /** Whether it was there already; it is nobody's then, unless the same exchange had handed it over. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean again(Object task, int first, @Nullable ServedExchange origin) {
        for (int tries = 0; tries < WAYS; tries++) {
            int place = place(task, first);
            Entry entry = place < 0 ? null : AT.get(place);
            if (entry == null || entry.get() != task) {
                return false;
            }
            if (entry.times == KEPT) {
                return !entry.isOver() || !AT.compareAndSet(place, entry, null);
            }
            ServedExchange whose = entry.origin == origin ? origin : null;
            if (AT.compareAndSet(place, entry, entry.with(task, whose, entry.times + 1))) {
                return true;
            }
        }
        return true;
    }

    /** Two threads may have handed the same task over at the same time, and have found two places for it. */
    private static void alone(Object task, int first, int own, Entry entry) {
        for (int i = 0; i < WAYS; i++) {
            int place = (first + i) & (PLACES - 1);
            Entry other = AT.get(place);
            if (place != own && other != null && other.get() == task) {
                AT.compareAndSet(place, other, other.with(task, null, other.times));
                AT.compareAndSet(own, entry, entry.with(task, null, 1));
            }
        }
    }

    private static int place(Object task, int first) {
        for (int i = 0; i < WAYS; i++) {
            int place = (first + i) & (PLACES - 1);
            Entry entry = AT.get(place);
            if (entry != null && entry.get() == task) {
                return place;
            }
        }
        return -1;
    }

    private static int first(Object task) {
        return (System.identityHashCode(task) * 0x9E3779B9) >>> SHIFT;
    }

    /** One task, and who handed it over. Immutable. */
    static final class Entry extends WeakReference<Object> {
        /** Null if there were several, or nobody. */
        final @Nullable ServedExchange origin;
        /** The sampled call that was open when it was handed over. */
        final @Nullable CallSample top;
        /** Where what is observed of it goes, or null if it isn't observed. */
        final @Nullable Pieces pieces;

        private final int times;

        private Entry(
                Object task,
                @Nullable ServedExchange origin,
                @Nullable CallSample top,
                @Nullable Pieces pieces,
                int times) {
            super(task);
            this.origin = origin;
            this.top = top;
            this.pieces = pieces;
            this.times = times;
        }

        private Entry with(Object task, @Nullable ServedExchange whose, int count) {
            return new Entry(task, whose, top, pieces, count);
        }

        boolean isOver() {
            return origin != null && origin.ended;
        }
    }
}
