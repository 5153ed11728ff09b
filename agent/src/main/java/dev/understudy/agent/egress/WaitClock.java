package dev.understudy.agent.egress;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The time, and how a thread of the application waits for something that one of the agent's does. Stateless. */
class WaitClock {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    long nanoTime() {
        return System.nanoTime();
    }

    /** Returns when it is true, the time has come, or the thread is interrupted. */
    void until(BooleanSupplier done, long nanos) {
        while (!done.getAsBoolean()
                && nanos - nanoTime() > 0
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
    }
}
