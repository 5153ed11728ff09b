package dev.understudy.agent.bootstrap.lock;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * The locks that the thread of one observed exchange has taken, and the one that it is about to get.
 *
 * <p>Nobody tells when a lock is given back: whether it is still held, the JVM or the lock itself is asked when the next one is
 * taken. Confined to that thread.
 */
public final class HeldLocks {
    /** What is taken while so many are held isn't known to be held. */
    static final int MOST = 16;

    private final @Nullable Object[] locks = new @Nullable Object[MOST];
    private final int[] places = new int[MOST];
    private final boolean[] monitors = new boolean[MOST];
    private int count;

    private int askedAt;
    private long askedNanos;
    private @Nullable String caller;
    private int callerDepth;
    private long calledNanos;

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
                locks[held] = one;
                monitors[held] = monitors[i];
                places[held] = places[i];
                held++;
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
            count++;
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
}
