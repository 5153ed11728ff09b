package dev.understudy.agent.fork;

import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** Takes and gives back locks so often that the JIT compiles it. */
final class LockedCode {
    private final Object first = new Object();
    private final Object second = new Object();
    private final ReentrantLock third = new ReentrantLock();
    private final ReentrantReadWriteLock fourth = new ReentrantReadWriteLock();
    private final StampedLock fifth = new StampedLock();
    private int total;

    private LockedCode() {}

    public static void main(String[] arguments) {
        LockedCode code = new LockedCode();
        for (int i = 0; i < 200_000; i++) {
            code.nested(i);
            code.unlocked(i);
            code.whole(i);
            code.read(i);
            code.stamped(i);
            code.converted(i);
        }
        System.out.println("port " + code.total % 2);
    }

    private int nested(int amount) {
        synchronized (first) {
            total += amount;
            synchronized (second) {
                if (amount % 7 == 0) {
                    return total;
                }
                try {
                    total += Math.floorDiv(amount, amount % 1000);
                } catch (ArithmeticException byZero) {
                    total--;
                }
            }
            return total + 1;
        }
    }

    private int unlocked(int amount) {
        third.lock();
        try {
            synchronized (first) {
                total += amount;
            }
            return total;
        } finally {
            third.unlock();
        }
    }

    private synchronized int whole(int amount) {
        synchronized (second) {
            total ^= amount;
        }
        return total;
    }

    private int read(int amount) {
        if (!fourth.readLock().tryLock()) {
            return 0;
        }
        try {
            return total + amount;
        } finally {
            fourth.readLock().unlock();
        }
    }

    private int converted(int amount) {
        long read = fifth.tryConvertToReadLock(fifth.tryOptimisticRead());
        long write = fifth.tryConvertToWriteLock(read);
        try {
            total ^= amount;
        } finally {
            fifth.tryConvertToOptimisticRead(write);
        }
        return total;
    }

    private int stamped(int amount) {
        long stamp = fifth.writeLock();
        try {
            total ^= amount;
        } finally {
            fifth.unlockWrite(stamp);
        }
        return total;
    }
}
