package dev.understudy.agent.bootstrap.lock;

import dev.understudy.agent.bootstrap.AgentFaults;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import org.jspecify.annotations.Nullable;

/**
 * Which lock the JDK's views of it are of, by fields that it tells nobody of; for any threads.
 *
 * <p>Their package is open to us once the agent has installed itself. Where it isn't, or has no such fields, views are
 * unknown.
 */
final class LockViews {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final String OF_STAMPED = StampedLock.class.getName() + '$';
    private static final @Nullable Class<?> SYNC = named(ReentrantReadWriteLock.class.getName() + "$Sync");

    private static final @Nullable MethodHandle SYNC_OF_READ =
            field(ReentrantReadWriteLock.ReadLock.class, "sync", SYNC, ReentrantReadWriteLock.ReadLock.class);
    private static final @Nullable MethodHandle SYNC_OF_WRITE =
            field(ReentrantReadWriteLock.WriteLock.class, "sync", SYNC, ReentrantReadWriteLock.WriteLock.class);
    private static final @Nullable MethodHandle READ_HOLDS = readHolds();

    private static final @Nullable Class<?> STAMPED_READ = named(OF_STAMPED + "ReadLockView");
    private static final @Nullable Class<?> STAMPED_WRITE = named(OF_STAMPED + "WriteLockView");
    private static final @Nullable MethodHandle STAMPED_OF_READ = stamped(STAMPED_READ);
    private static final @Nullable MethodHandle STAMPED_OF_WRITE = stamped(STAMPED_WRITE);

    private LockViews() {}

    /** Whether it is known which lock such a read or write lock is of. */
    static boolean areOpen() {
        return SYNC_OF_READ != null && SYNC_OF_WRITE != null && READ_HOLDS != null;
    }

    /** Whether objects of that class are {@link StampedLock#asReadLock}, and known. */
    static boolean isStampedRead(Class<?> type) {
        return type == STAMPED_READ && STAMPED_OF_READ != null;
    }

    /** Whether objects of that class are {@link StampedLock#asWriteLock}, and known. */
    static boolean isStampedWrite(Class<?> type) {
        return type == STAMPED_WRITE && STAMPED_OF_WRITE != null;
    }

    /** What both locks of a {@link ReentrantReadWriteLock} have in common; the lock itself if that isn't known. */
    static Object common(Object lock) {
        MethodHandle ofRead = SYNC_OF_READ;
        MethodHandle ofWrite = SYNC_OF_WRITE;
        if (ofRead == null || ofWrite == null) {
            return lock;
        }
        try {
            return lock instanceof ReentrantReadWriteLock.ReadLock
                    ? (Object) ofRead.invokeExact((ReentrantReadWriteLock.ReadLock) lock)
                    : (Object) ofWrite.invokeExact((ReentrantReadWriteLock.WriteLock) lock);
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return lock;
        }
    }

    /** How often this thread has a lock to read. */
    static int readHolds(Object lock) {
        MethodHandle holds = READ_HOLDS;
        try {
            return holds == null ? 0 : (int) holds.invokeExact(common(lock));
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return 0;
        }
    }

    /** The lock that a view is of, or what isn't a view itself. */
    static Object stamped(Object lock) {
        MethodHandle view = lock.getClass() == STAMPED_READ
                ? STAMPED_OF_READ
                : lock.getClass() == STAMPED_WRITE ? STAMPED_OF_WRITE : null;
        try {
            return view == null ? lock : (Object) view.invokeExact(lock);
        } catch (Throwable problem) {
            AgentFaults.MET[AgentFaults.count++ & AgentFaults.LAST] = problem;
            return lock;
        }
    }

    private static @Nullable MethodHandle readHolds() {
        try {
            return SYNC == null
                    ? null
                    : MethodHandles.privateLookupIn(SYNC, LOOKUP)
                            .findVirtual(SYNC, "getReadHoldCount", MethodType.methodType(int.class))
                            .asType(MethodType.methodType(int.class, Object.class));
        } catch (ReflectiveOperationException | RuntimeException closed) {
            return null;
        }
    }

    private static @Nullable MethodHandle stamped(@Nullable Class<?> view) {
        return view == null ? null : field(view, "this$0", StampedLock.class, Object.class);
    }

    private static @Nullable MethodHandle field(
            Class<?> owner, String name, @Nullable Class<?> type, Class<?> askedOf) {
        try {
            return type == null
                    ? null
                    : MethodHandles.privateLookupIn(owner, LOOKUP)
                            .findGetter(owner, name, type)
                            .asType(MethodType.methodType(Object.class, askedOf));
        } catch (ReflectiveOperationException | RuntimeException closed) {
            return null;
        }
    }

    private static @Nullable Class<?> named(String name) {
        try {
            return Class.forName(name, false, null);
        } catch (ClassNotFoundException otherJdk) {
            return null;
        }
    }
}
