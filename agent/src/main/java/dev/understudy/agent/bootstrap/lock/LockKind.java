package dev.understudy.agent.bootstrap.lock;

import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/**
 * In which way a thread has a lock, and what the JDK says of that; nothing is called that the application may have
 * written.
 */
public enum LockKind {
    /** Nobody can be asked whether it is held. */
    UNKNOWN,
    /** An object's monitor. */
    MONITOR,
    /** A {@link ReentrantLock}. */
    REENTRANT,
    /** The write lock of a {@link ReentrantReadWriteLock}. */
    WRITE,
    /** The read lock of one. */
    READ,
    /** A {@link StampedLock}, held to write. */
    STAMPED_WRITE,
    /** One that is held to read. */
    STAMPED_READ;

    /** In which way whoever calls {@code lock} has it. */
    public static LockKind of(Object lock) {
        Class<?> type = lock.getClass();
        if (type == ReentrantLock.class) {
            return REENTRANT;
        }
        if (type == ReentrantReadWriteLock.WriteLock.class) {
            return WRITE;
        }
        if (type == ReentrantReadWriteLock.ReadLock.class) {
            return LockViews.areOpen() ? READ : UNKNOWN;
        }
        if (LockViews.isStampedRead(type)) {
            return STAMPED_READ;
        }
        return LockViews.isStampedWrite(type) ? STAMPED_WRITE : UNKNOWN;
    }

    /** This one, if it is one of a {@link StampedLock}'s and that lock is one as the JDK makes them. */
    public LockKind of(StampedLock lock) {
        return lock.getClass() == StampedLock.class ? this : UNKNOWN;
    }

    /** In which way whoever has that stamp has its {@link StampedLock}; {@link #UNKNOWN} if it has nothing by it. */
    static LockKind by(long stamp) {
        if (StampedLock.isWriteLockStamp(stamp)) {
            return STAMPED_WRITE;
        }
        return StampedLock.isReadLockStamp(stamp) ? STAMPED_READ : UNKNOWN;
    }

    /** Whether others may have it in the same way. */
    boolean isShared() {
        return this == READ || this == STAMPED_READ;
    }

    /** Whether it is a {@link StampedLock}'s, which doesn't know who has it. */
    boolean isStamped() {
        return this == STAMPED_WRITE || this == STAMPED_READ;
    }

    /** How often this thread has it; not for monitors and what is stamped. */
    int holds(Object lock) {
        if (this == REENTRANT) {
            return ((ReentrantLock) lock).getHoldCount();
        }
        return this == WRITE ? ((ReentrantReadWriteLock.WriteLock) lock).getHoldCount() : LockViews.readHolds(lock);
    }

    /**
     * Whether this thread has it, or some thread may still have what this one got with that stamp.
     *
     * @param lock if it is stamped, no view of it
     * @param stamp 0 if there is none
     */
    boolean isHeld(Object lock, long stamp) {
        if (this == MONITOR) {
            return Thread.holdsLock(lock);
        }
        if (this == STAMPED_WRITE) {
            StampedLock stamped = (StampedLock) lock;
            return stamped.isWriteLocked() && (stamp == 0 || stamped.validate(stamp));
        }
        if (this == STAMPED_READ) {
            StampedLock stamped = (StampedLock) lock;
            return stamped.isReadLocked() && stamped.validate(stamp);
        }
        return holds(lock) > 0;
    }

    /** A lock as the one that all its views are of. */
    Object owner(Object lock) {
        return this == WRITE || this == READ ? LockViews.common(lock) : lock;
    }
}
