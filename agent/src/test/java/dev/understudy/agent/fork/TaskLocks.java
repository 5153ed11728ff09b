package dev.understudy.agent.fork;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Two locks that are taken in both orders, though never by threads that meet, and one that is waited for. */
final class TaskLocks {
    private static final Object FIRST = new Object();
    private static final Object SECOND = new Object();
    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(25);

    private TaskLocks() {}

    static String forth(String way) {
        synchronized (FIRST) {
            synchronized (SECOND) {
                return "by " + way;
            }
        }
    }

    static String back(String way) {
        synchronized (SECOND) {
            synchronized (FIRST) {
                return "by " + way;
            }
        }
    }

    static String contended(String way) throws InterruptedException {
        Thread asking = Thread.currentThread();
        CountDownLatch held = new CountDownLatch(1);
        Thread other = new Thread(() -> hold(asking, held));
        other.start();
        held.await();
        synchronized (FIRST) {
            return "by " + way;
        }
    }

    private static void hold(Thread asking, CountDownLatch held) {
        synchronized (FIRST) {
            held.countDown();
            while (asking.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
            for (long end = System.nanoTime() + WAIT_NANOS; System.nanoTime() - end < 0; ) {
                LockSupport.parkNanos(WAIT_NANOS);
            }
        }
    }
}
