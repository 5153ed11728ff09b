package dev.understudy.it.overhead.work;

import java.util.concurrent.locks.ReentrantLock;

/** Methods with next to no work of their own, each with one thing inside that may be told of. */
public final class Teller {
    private final Callee callee = new Callee();
    private final Object monitor = new Object();
    private final ReentrantLock lock = new ReentrantLock();
    private long last;

    /** Nothing. */
    public long plain() {
        last = callee.step();
        return last;
    }

    /** A {@code synchronized} block. */
    public long block() {
        synchronized (monitor) {
            last = callee.step();
            return last;
        }
    }

    /** A lock of the JDK. */
    public long locked() {
        lock.lock();
        try {
            last = callee.step();
            return last;
        } finally {
            lock.unlock();
        }
    }

    /** A {@code synchronized} method. */
    public synchronized long whole() {
        last = callee.step();
        return last;
    }
}
