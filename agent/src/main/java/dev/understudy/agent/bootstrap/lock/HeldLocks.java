package dev.understudy.agent.bootstrap.lock;

import java.util.Arrays;
import java.util.concurrent.locks.StampedLock;
import org.jspecify.annotations.Nullable;

/**
 * The locks that the thread of one observed exchange has taken, since when, and the one that it is about to get.
 *
 * <p>Not everybody tells when a lock is given back: whether it is still held, the JVM or the lock itself is asked when
 * the next one is taken. A time is told only of locks whose taking and giving back were both seen, less what the thread
 * spent waiting on conditions. Confined to that thread.
 */
public final class HeldLocks {
    /** What is taken while so many are held isn't known to be held. */
    static final int MOST = 16;

    private static final long UNKNOWN = Long.MIN_VALUE;
    private static final long PAUSED = Long.MAX_VALUE;

    /** No view of another lock is here if it is stamped. */
    private final @Nullable Object[] locks = new @Nullable Object[MOST];

    private final LockKind[] kinds = new LockKind[MOST];
    private final int[] places = new int[MOST];
    /** Of those that are stamped. */
    private final long[] stamps = new long[MOST];
    /** Since when each is had, by {@link System#nanoTime}, or {@link #UNKNOWN} or {@link #PAUSED}. */
    private final long[] since = new long[MOST];
    /** At which depth of the exchange the call is that has a monitor. */
    private final int[] depths = new int[MOST];
    /** Whether a monitor is that of a synchronized method. */
    private final boolean[] ofMethods = new boolean[MOST];

    private final Times times;
    private int count;

    /** The lock of the JDK that it asked for last, if it is known whether it has it; no view of another. */
    private @Nullable Object asked;

    private LockKind askedFor = LockKind.UNKNOWN;
    private int askedAt;
    private long askedNanos;
    /** The {@link StampedLock} of which it converts a stamp, and which of the locks here it has by that, or below 0. */
    private @Nullable Object converting;

    private LockKind convertedFrom = LockKind.UNKNOWN;
    private int convertedAt;
    private @Nullable String caller;
    private int callerDepth;
    private long calledNanos;

    /** None yet; {@code times} gets how long each was held. */
    public HeldLocks(Times times) {
        this.times = times;
    }

    /** This thread takes an object's monitor, at a place with that number. */
    public void taking(Object monitor, int place) {
        look();
        if (!has(monitor, LockKind.MONITOR)) {
            tell(monitor, LockKind.MONITOR, place);
            add(monitor, LockKind.MONITOR, place, UNKNOWN, 0);
        }
    }

    /**
     * It asks for a lock of the JDK at a place, and may have to wait; one that it has already is no news.
     *
     * @param lock null if there is none
     * @param forGood whether it waits as long as it takes, if it must wait
     */
    public void asks(@Nullable Object lock, LockKind kind, boolean forGood, int place) {
        asked = null;
        if (lock != null && kind != LockKind.UNKNOWN) {
            if (!kind.isStamped() && kind.holds(lock) > 0) {
                askedAt = askedAt == place ? 0 : askedAt;
                return;
            }
            look();
            Object plain = kind.isStamped() ? LockViews.stamped(lock) : lock;
            // who writes may read at once
            if (forGood && !(kind == LockKind.READ && has(kind.owner(lock), LockKind.WRITE))) {
                tell(plain, kind, place);
            }
            asked = plain;
            askedFor = kind;
        }
        askedAt = place;
        askedNanos = System.nanoTime();
    }

    /** How long ago it asked there, in nanoseconds; below 0 if it has asked elsewhere since, or was told already. */
    public long asked(int place) {
        if (askedAt != place) {
            return -1;
        }
        askedAt = 0;
        return System.nanoTime() - askedNanos;
    }

    /**
     * It has the lock of the JDK that it asked for last.
     *
     * @param stamp 0 if it got none
     */
    public void gets(int place, long stamp) {
        Object lock = asked;
        asked = null;
        if (lock != null) {
            boolean viewed = stamp == 0 && askedFor == LockKind.STAMPED_READ;
            // which is the same in all that is looked at
            add(lock, askedFor, place, System.nanoTime(), viewed ? ((StampedLock) lock).tryOptimisticRead() : stamp);
        }
    }

    /** Forgets what it has no more. */
    private void look() {
        int held = 0;
        for (int i = 0; i < count; i++) {
            Object one = locks[i];
            if (one != null && kinds[i].isHeld(one, stamps[i])) {
                move(i, held++);
            }
        }
        Arrays.fill(locks, held, count, null);
        count = held;
    }

    @SuppressWarnings("ReferenceEquality") // two locks that are equal are two locks
    private boolean has(Object owner, LockKind kind) {
        for (int i = 0; i < count; i++) {
            Object one = locks[i];
            if (one != null && kinds[i] == kind && kind.owner(one) == owner) {
                return true;
            }
        }
        return false;
    }

    private void tell(Object taken, LockKind kind, int place) {
        if (count > 0) {
            Nestings.tell(locks, kinds, places, count, taken, kind, place);
        }
    }

    private void add(Object lock, LockKind kind, int place, long from, long stamp) {
        if (count < MOST) {
            locks[count] = lock;
            kinds[count] = kind;
            places[count] = place;
            since[count] = from;
            stamps[count] = stamp;
            count++;
        }
    }

    private void move(int from, int to) {
        locks[to] = locks[from];
        kinds[to] = kinds[from];
        places[to] = places[from];
        since[to] = since[from];
        stamps[to] = stamps[from];
        depths[to] = depths[from];
        ofMethods[to] = ofMethods[from];
    }

    /**
     * It has the monitor that it took last, if that was at this place.
     *
     * @param depth of the call that has it
     * @param ofMethod whether the call gives it back where it ends
     */
    public void got(int place, int depth, boolean ofMethod) {
        int last = count - 1;
        if (last >= 0 && places[last] == place && since[last] == UNKNOWN) {
            since[last] = System.nanoTime();
            depths[last] = depth;
            ofMethods[last] = ofMethod;
        }
    }

    /**
     * The call at that depth gives a monitor back, though maybe not for the last time.
     *
     * @param begun when the call began: what others took at its depth before isn't its own
     */
    @SuppressWarnings("ReferenceEquality") // as above
    public void leaves(Object lock, int depth, long begun) {
        for (int i = count - 1; i >= 0; i--) {
            if (locks[i] == lock && kinds[i] == LockKind.MONITOR) {
                if (isOf(i, depth, begun)) {
                    givesBack(i);
                }
                return;
            }
        }
    }

    /** The call at that depth, which began then, ends: if it is synchronized, it gives its monitor back. */
    public void exits(int depth, long begun) {
        for (int i = count - 1; i >= 0; i--) {
            if (kinds[i] == LockKind.MONITOR && ofMethods[i] && isOf(i, depth, begun)) {
                givesBack(i);
            }
        }
    }

    private boolean isOf(int index, int depth, long begun) {
        return depths[index] == depth
                && since[index] != UNKNOWN
                && (since[index] == PAUSED || since[index] - begun >= 0);
    }

    /** It gives back a lock of the JDK, though maybe not for the last time. */
    @SuppressWarnings("ReferenceEquality") // as above
    public void unlocks(Object lock) {
        boolean stamped = lock instanceof StampedLock;
        LockKind kind = stamped ? LockKind.UNKNOWN : LockKind.of(lock);
        if (!stamped && (kind == LockKind.UNKNOWN || (!kind.isStamped() && kind.holds(lock) != 1))) {
            return;
        }
        Object plain = kind.isStamped() ? LockViews.stamped(lock) : lock;
        for (int i = count - 1; i >= 0; i--) {
            if (locks[i] == plain && (stamped ? kinds[i].isStamped() : kinds[i] == kind)) {
                boolean another = kinds[i].isStamped() && !kinds[i].isHeld(plain, stamps[i]);
                since[i] = another ? UNKNOWN : since[i]; // what it took was given back where nobody said so
                givesBack(i);
                return;
            }
        }
    }

    private void givesBack(int index) {
        tell(index);
        count--;
        for (int i = index; i < count; i++) {
            move(i + 1, i);
        }
        locks[count] = null;
    }

    private void tell(int index) {
        long from = since[index];
        if (from != UNKNOWN && from != PAUSED) {
            times.heldFor(places[index], System.nanoTime() - from);
        }
    }

    /** It is about to make another stamp of this one; what it has by it is looked for while it has it. */
    @SuppressWarnings("ReferenceEquality") // as above
    public void converts(@Nullable Object lock, long stamp) {
        converting = null;
        if (lock instanceof StampedLock && LockKind.STAMPED_READ.of((StampedLock) lock) != LockKind.UNKNOWN) {
            look();
            converting = lock;
            convertedFrom = LockKind.by(stamp);
            convertedAt = count - 1;
            while (convertedAt >= 0 && (locks[convertedAt] != lock || kinds[convertedAt] != convertedFrom)) {
                convertedAt--;
            }
        }
    }

    /**
     * It has made that stamp of it, without waiting.
     *
     * @param stamp 0 if it couldn't: all is as it was
     * @param place 0 if it isn't told from where on it has the lock in another way, or it hasn't got it any more
     */
    public void converted(long stamp, int place) {
        Object lock = converting;
        converting = null;
        LockKind kind = LockKind.by(stamp);
        if (lock == null || stamp == 0 || kind == convertedFrom) {
            return;
        }
        if (convertedAt < 0) {
            if (place != 0) {
                add(lock, kind, place, System.nanoTime(), stamp);
            }
        } else if (kind == LockKind.UNKNOWN) {
            givesBack(convertedAt);
        } else {
            becomes(convertedAt, kind, stamp, place);
        }
    }

    /** It has it in another way than before, which is over. */
    private void becomes(int index, LockKind kind, long stamp, int place) {
        kinds[index] = kind;
        stamps[index] = stamp;
        if (place != 0) {
            tell(index);
            places[index] = place;
            since[index] = System.nanoTime();
        }
    }

    /** It is about to wait on a condition, which gives a lock back meanwhile; which one nobody says. */
    public void pauses() {
        for (int i = 0; i < count; i++) {
            if (since[i] != UNKNOWN) {
                tell(i);
                since[i] = PAUSED;
            }
        }
    }

    /** It has waited, and has that lock again. */
    public void resumes() {
        for (int i = 0; i < count; i++) {
            if (since[i] == PAUSED) {
                since[i] = System.nanoTime();
            }
        }
    }

    /**
     * Its call at that depth of the exchange calls a method that may be synchronized; {@code method} is
     * {@code class#name}.
     */
    public void calling(String method, int depth) {
        caller = method;
        callerDepth = depth;
        calledNanos = System.nanoTime();
    }

    /** Who called just before a call of that depth began, or null if nobody said so. */
    public @Nullable String caller(int depth) {
        return callerDepth == depth ? caller : null;
    }

    /** When that was, by {@link System#nanoTime}; nobody is told twice. */
    public long called() {
        caller = null;
        return calledNanos;
    }

    /** As good as new. */
    public void clear() {
        Arrays.fill(locks, 0, count, null);
        count = 0;
        asked = null;
        askedAt = 0;
        converting = null;
        caller = null;
    }

    /** Gets how long locks were held. */
    public interface Times {
        /** The lock that was taken at that place was held for so long at least. */
        void heldFor(int place, long nanos);
    }
}
