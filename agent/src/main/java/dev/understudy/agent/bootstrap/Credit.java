package dev.understudy.agent.bootstrap;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many samples the budget allows until it is set anew, whichever probes draw them.
 *
 * <p>A stripe of threads takes some at a time, so that threads don't wait for each other at every sample; what it has
 * taken and not used is gone with the next {@link #set}.
 */
public final class Credit {
    private static final int SOME = 16;
    private static final int SPREAD = 16;

    private static final AtomicInteger LEFT = new AtomicInteger();
    private static final int[] TAKEN = new int[Probes.STRIPES * SPREAD];
    private static final LongAdder REFUSED = new LongAdder();

    private Credit() {}

    /** Whether a thread of this stripe may take a sample. */
    static boolean take(int stripe) {
        int left = TAKEN[stripe * SPREAD];
        if (left == 0) {
            left = LEFT.get() <= 0 ? 0 : Math.min(SOME, LEFT.getAndAdd(-SOME));
            if (left <= 0) {
                REFUSED.increment();
                return false;
            }
        }
        TAKEN[stripe * SPREAD] = left - 1;
        return true;
    }

    /** Allows so many samples until the next call, and none of what was allowed before. */
    public static void set(int samples) {
        LEFT.set(samples);
        for (int stripe = 0; stripe < Probes.STRIPES; stripe++) {
            TAKEN[stripe * SPREAD] = 0;
        }
    }

    /** How many samples were refused because more came than the budget allows. */
    public static long refused() {
        return REFUSED.sum();
    }
}
