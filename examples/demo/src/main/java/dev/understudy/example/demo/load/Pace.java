package dev.understudy.example.demo.load;

import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * When a client does the next thing: at random moments (a Poisson process), so that the clients together keep a rate.
 * One that was held up doesn't catch up.
 */
final class Pace {
    private final Random random;
    private final double meanNanos;
    private long next = System.nanoTime();

    /** @param rate times a second; 0 is as fast as possible */
    Pace(Random random, double rate) {
        this.random = random;
        this.meanNanos = rate <= 0 ? 0 : 1e9 / rate;
    }

    void await() throws InterruptedException {
        if (meanNanos <= 0) {
            return;
        }
        next = Math.max(System.nanoTime(), next + (long) (-meanNanos * Math.log(1 - random.nextDouble())));
        for (long left = next - System.nanoTime(); left > 0; left = next - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }
}
