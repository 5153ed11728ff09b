package dev.understudy.agent.weave;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** Takes locks that several may read under, or that it may not get, in every way that Java has; and works meanwhile. */
public final class Archive {
    private final ReentrantLock desk = new ReentrantLock();
    private final ReentrantReadWriteLock shelves = new ReentrantReadWriteLock();
    private final Lock shelvesToRead = shelves.readLock();
    private final StampedLock index = new StampedLock();
    private final Lock indexToRead = index.asReadLock();
    private final Lock indexToWrite = index.asWriteLock();

    public ReentrantLock locked() {
        return desk;
    }

    public StampedLock stamped() {
        return index;
    }

    public <T> T desk(Callable<T> work) throws Exception {
        desk.lock();
        try {
            return work.call();
        } finally {
            desk.unlock();
        }
    }

    public <T> T deskTried(Callable<T> work) throws Exception {
        boolean got = desk.tryLock();
        try {
            return work.call();
        } finally {
            if (got) {
                desk.unlock();
            }
        }
    }

    public <T> T deskInTime(Callable<T> work) throws Exception {
        boolean got = desk.tryLock(1, TimeUnit.MILLISECONDS);
        try {
            return work.call();
        } finally {
            if (got) {
                desk.unlock();
            }
        }
    }

    public <T> T read(Callable<T> work) throws Exception {
        shelves.readLock().lock();
        try {
            return work.call();
        } finally {
            shelves.readLock().unlock();
        }
    }

    public <T> T readTried(Callable<T> work) throws Exception {
        boolean got = shelvesToRead.tryLock();
        try {
            return work.call();
        } finally {
            if (got) {
                shelvesToRead.unlock();
            }
        }
    }

    /** Reads under a lock that it takes once more inside, for less. */
    public <T> T readTwice(Callable<T> work) throws Exception {
        shelvesToRead.lockInterruptibly();
        try {
            read(() -> 1);
            return work.call();
        } finally {
            shelvesToRead.unlock();
        }
    }

    public <T> T write(Callable<T> work) throws Exception {
        shelves.writeLock().lock();
        try {
            return work.call();
        } finally {
            shelves.writeLock().unlock();
        }
    }

    public <T> T stampedRead(Callable<T> work) throws Exception {
        long stamp = index.readLock();
        try {
            return work.call();
        } finally {
            index.unlockRead(stamp);
        }
    }

    public <T> T stampedReadTried(Callable<T> work) throws Exception {
        long stamp = index.tryReadLock();
        try {
            return work.call();
        } finally {
            if (stamp != 0) {
                index.tryUnlockRead();
            }
        }
    }

    public <T> T stampedReadInTime(Callable<T> work) throws Exception {
        long stamp = index.tryReadLock(1, TimeUnit.MILLISECONDS);
        try {
            return work.call();
        } finally {
            if (stamp != 0) {
                index.unlock(stamp);
            }
        }
    }

    public <T> T stampedWrite(Callable<T> work) throws Exception {
        long stamp = index.writeLock();
        try {
            return work.call();
        } finally {
            index.unlockWrite(stamp);
        }
    }

    public <T> T stampedWriteTried(Callable<T> work) throws Exception {
        long stamp = index.tryWriteLock();
        try {
            return work.call();
        } finally {
            if (stamp != 0) {
                index.tryUnlockWrite();
            }
        }
    }

    public <T> T stampedWriteInTime(Callable<T> work) throws Exception {
        long stamp = index.tryWriteLock(1, TimeUnit.MILLISECONDS);
        try {
            return work.call();
        } finally {
            if (stamp != 0) {
                index.unlock(stamp);
            }
        }
    }

    public <T> T viewRead(Callable<T> work) throws Exception {
        indexToRead.lock();
        try {
            return work.call();
        } finally {
            indexToRead.unlock();
        }
    }

    public <T> T viewWrite(Callable<T> work) throws Exception {
        indexToWrite.lock();
        try {
            return work.call();
        } finally {
            indexToWrite.unlock();
        }
    }

    /** Reads first, and writes then; as {@link #stampedRead} if it can't. */
    public <T> T upgraded(Callable<T> work) throws Exception {
        long stamp = index.readLock();
        long write = index.tryConvertToWriteLock(stamp);
        stamp = write == 0 ? stamp : write;
        try {
            return work.call();
        } finally {
            index.unlock(stamp);
        }
    }

    /** Works as {@link #upgraded} does, after what it does while it only reads. */
    public <T> T upgradedAfter(Callable<T> work) throws Exception {
        long stamp = index.readLock();
        T result = work.call();
        long write = index.tryConvertToWriteLock(stamp);
        index.unlock(write == 0 ? stamp : write);
        return result;
    }

    /** Writes first, and reads then. */
    public <T> T downgraded(Callable<T> work) throws Exception {
        long stamp = index.tryConvertToReadLock(index.writeLock());
        try {
            return work.call();
        } finally {
            index.unlockRead(stamp);
        }
    }

    /** Looks without a lock first, and writes then. */
    public <T> T optimisticWrite(Callable<T> work) throws Exception {
        long stamp = index.tryConvertToWriteLock(index.tryOptimisticRead());
        try {
            return work.call();
        } finally {
            if (stamp != 0) {
                index.unlockWrite(stamp);
            }
        }
    }

    /** Works with the lock given back, whose stamp it makes an optimistic one. */
    public <T> T optimistic(Callable<T> work) throws Exception {
        long stamp = index.tryConvertToOptimisticRead(index.readLockInterruptibly());
        T result = work.call();
        if (!index.validate(stamp)) {
            throw new IllegalStateException("written meanwhile");
        }
        return result;
    }

    /** All of it, with the same results whoever looks. */
    public static String transcript(int seed) throws Exception {
        Archive archive = new Archive();
        StringBuilder text = new StringBuilder();
        Callable<String> look = () -> archive.desk.isLocked() + " " + archive.shelves + archive.index;
        for (int i = seed; i < seed + 3; i++) {
            text.append(archive.desk(look)).append(archive.deskTried(look)).append(archive.deskInTime(look));
            text.append(archive.read(look)).append(archive.readTried(look)).append(archive.readTwice(look));
            text.append(archive.write(look)).append(archive.stampedRead(look)).append(archive.stampedReadTried(look));
            text.append(archive.stampedReadInTime(look)).append(archive.stampedWrite(look));
            text.append(archive.stampedWriteTried(look)).append(archive.stampedWriteInTime(look));
            text.append(archive.viewRead(look)).append(archive.viewWrite(look)).append(archive.optimistic(look));
            text.append(archive.upgraded(look))
                    .append(archive.upgradedAfter(look))
                    .append(archive.downgraded(look));
            text.append(archive.optimisticWrite(look)).append(archive.stampedRead(() -> archive.upgraded(look)));
            text.append(archive.desk(() -> archive.stampedWrite(() -> archive.optimisticWrite(look))));
            text.append(archive.stampedWrite(() -> archive.stampedReadInTime(look)))
                    .append(i);
        }
        return text.append(look.call()).toString().replaceAll("@[0-9a-f]+", "");
    }
}
