package dev.understudy.agent.bootstrap.measure;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * A leaky bucket per probe: as many calls as are in it are sampled whatever the probe's period is, so that a method
 * that runs a few times while others take all there is, is seen.
 *
 * <p>The buckets hold plain numbers; threads that meet may take one too many, which the credit of all together bounds.
 * Taking is for any thread, filling for one.
 */
public final class Quotas {
    /** The most that a bucket can hold. */
    public static final int MOST = 100;

    private static final byte[] LEFT = new byte[1 << 15];
    private static final AtomicInteger CREDIT = new AtomicInteger();
    private static final LongAdder TAKEN = new LongAdder();

    private Quotas() {}

    /** Takes one out of the probe's bucket; false if it is empty, or all probes together had enough. */
    public static boolean take(int probe) {
        byte left = LEFT[probe];
        if (left <= 0 || CREDIT.get() <= 0 || CREDIT.getAndDecrement() <= 0) {
            return false;
        }
        LEFT[probe] = (byte) (left - 1);
        TAKEN.increment();
        return true;
    }

    /** Whether something is in the probe's bucket. */
    public static boolean has(int probe) {
        return LEFT[probe] > 0;
    }

    /** Puts one into each bucket of the probes from 1 to below {@code probes} that has less than {@code most}. */
    public static void drip(int probes, int most) {
        for (int probe = 1; probe < probes; probe++) {
            if (LEFT[probe] < most) {
                LEFT[probe]++;
            }
        }
    }

    /** So many may be taken until the next call, by all probes together. */
    public static void credit(int samples) {
        CREDIT.set(samples);
    }

    /** How many were taken since the start. */
    public static long taken() {
        return TAKEN.sum();
    }
}
