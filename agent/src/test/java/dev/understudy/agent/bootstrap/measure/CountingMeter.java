package dev.understudy.agent.bootstrap.measure;

import java.util.Arrays;

/** Says of the thread what a test wants: 10 more of each kind with each reading, and {@link #used} on top. */
public final class CountingMeter extends Meter {
    private static final int STEP = 10;

    /** What the thread has used beside being read. */
    public long used;

    private boolean known = true;
    private long reads;

    /** From now on nothing is known of threads. */
    void forget() {
        known = false;
    }

    @Override
    protected boolean read(long[] values) {
        reads++;
        Arrays.fill(values, -1);
        values[CPU] = used + STEP * reads;
        values[COUNTERS] = used + STEP * reads;
        return known;
    }
}
