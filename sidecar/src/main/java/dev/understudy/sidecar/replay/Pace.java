package dev.understudy.sidecar.replay;

import java.util.concurrent.locks.LockSupport;

/** When, in a replay, the moment of a recording comes. */
final class Pace {
    private final long recordedNanos;
    private final long startNanos;
    private final double speed;

    /**
     * @param recordedNanos the recording's first moment, which is now
     * @param speed 1 for the recording's own pace, more for faster; infinite for at once
     */
    Pace(long recordedNanos, double speed) {
        this.recordedNanos = recordedNanos;
        this.speed = speed;
        this.startNanos = System.nanoTime();
    }

    void await(long nanos) throws InterruptedException {
        long due = startNanos + (long) ((nanos - recordedNanos) / speed);
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }
}
