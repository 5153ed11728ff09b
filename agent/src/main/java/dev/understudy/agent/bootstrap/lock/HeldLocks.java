package dev.understudy.agent.bootstrap.lock;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * The locks that the thread of one observed exchange has taken, since when, and the one that it is about to get.
 *
 * <p>Not everybody tells when a lock is given back: whether it is still held, the JVM or the lock itself is asked when the next one is
 * taken. A time is told only of locks whose taking and giving back were both seen, less what the thread spent waiting on conditions.
 * Confined to that thread.
 */
public final class HeldLocks {
    /** What is taken while so many are held isn't known to be held. */
    static final int MOST = 16;

    private static final long UNKNOWN = Long.MIN_VALUE;
    private static final long PAUSED = Long.MAX_VALUE;

    private final @Nullable Object[] locks = new @Nullable Object[MOST];
    private final int[] places = new int[MOST];
    private final boolean[] monitors = new boolean[MOST];
    /** Since when each is had, by {@link System#nanoTime}, or {@link #UNKNOWN} or {@link #PAUSED}. */
    private final long[] since = new long[MOST];
    /** At which depth of the exchange the call is that has a monitor. */
    private final int[] depths = new int[MOST];
    /** Whether a monitor is that of a synchronized method. */
    private final boolean[] ofMethods = new boolean[MOST];

    private final Times times;
    private int count;

    private int askedAt;
    private long askedNanos;
    private @Nullable String caller;
    private int callerDepth;
    private long calledNanos;

    /** None yet; {@code times} gets how long each was held. */
    public HeldLocks(Times times) {
        this.times = times;
    }

    /** Whether holding such a lock can be asked for, without calling what the application may have written. */
    public static boolean isKnown(Object lock) {
        Class<?> type = lock.getClass();
        return type == ReentrantLock.class || type == ReentrantReadWriteLock.WriteLock.class;
    }

    /** Whether this thread holds a lock of those that are {@link #isKnown known}. */
    public static boolean holds(Object lock) {
        return lock instanceof ReentrantLock
                ? ((ReentrantLock) lock).isHeldByCurrentThread()
                : ((ReentrantReadWriteLock.WriteLock) lock).isHeldByCurrentThread();
    }

    /** Whether this thread's next {@code unlock} gives back a lock of those that are {@link #isKnown known}. */
    public static boolean isGivenBackNext(Object lock) {
        return 1
                == (lock instanceof ReentrantLock
                        ? ((ReentrantLock) lock).getHoldCount()
                        : ((ReentrantReadWriteLock.WriteLock) lock).getHoldCount());
    }

    /**
     * This thread takes a lock, at a place with that number.
     *
     * @param monitor whether the object's monitor is meant; else a lock that is {@link #isKnown known}
     */
    @SuppressWarnings("ReferenceEquality") // two locks that are equal are two locks
    public void taking(Object lock, boolean monitor, int place) {
        int held = 0;
        for (int i = 0; i < count; i++) {
            Object one = locks[i];
            if (one != null && (monitors[i] ? Thread.holdsLock(one) : holds(one))) {
                if (one == lock && monitors[i] == monitor) {
                    return;
                }
                move(i, held++);
            }
        }
        Arrays.fill(locks, held, count, null);
        count = held;
        if (held > 0) {
            Nestings.tell(locks, places, held, lock, place);
        }
        if (count < MOST) {
            locks[count] = lock;
            monitors[count] = monitor;
            places[count] = place;
            since[count] = UNKNOWN;
            count++;
        }
    }

    private void move(int from, int to) {
        locks[to] = locks[from];
        monitors[to] = monitors[from];
        places[to] = places[from];
        since[to] = since[from];
        depths[to] = depths[from];
        ofMethods[to] = ofMethods[from];
    }

    /**
     * It has the lock that it took last, if that was at this place.
     *
     * @param depth of the call that has it, if it is a monitor
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
            if (locks[i] == lock && monitors[i]) {
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
            if (monitors[i] && ofMethods[i] && isOf(i, depth, begun)) {
                givesBack(i);
            }
        }
    }

    private boolean isOf(int index, int depth, long begun) {
        return depths[index] == depth
                && since[index] != UNKNOWN
                && (since[index] == PAUSED || since[index] - begun >= 0);
    }

    /** It gives back a lock that is {@link #isKnown known}. */
    @SuppressWarnings("ReferenceEquality") // as above
    public void unlocks(Object lock) {
        for (int i = count - 1; i >= 0; i--) {
            if (locks[i] == lock && !monitors[i]) {
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

    /** It asks for a lock of the JDK at a place, and may have to wait. */
    public void asking(int place) {
        askedAt = place;
        askedNanos = System.nanoTime();
    }

    /** How long ago it asked there, in nanoseconds; below 0 if it has asked elsewhere since. */
    public long asked(int place) {
        return askedAt == place ? System.nanoTime() - askedNanos : -1;
    }

    /** Its call at that depth of the exchange calls a method that may be synchronized; {@code method} is {@code class#name}. */
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
        askedAt = 0;
        caller = null;
    }

    /** Gets how long locks were held. */
    public interface Times {
        /** The lock that was taken at that place was held for so long at least. */
        void heldFor(int place, long nanos);
    }
}
