package dev.understudy.agent.bootstrap;

/**
 * How long a method's own work usually takes: per probe an estimate of the time that nine calls in ten stay under.
 *
 * <p>Updates may be lost when two threads meet; each moves the estimate by a tenth at most.
 */
final class TypicalDuration {
    private static final int LEARNING = 16;
    private static final int TIMES = 3;
    private static final long LEAST_NANOS = 500_000;

    private static final long[] NANOS = new long[Probes.CAPACITY];
    private static final byte[] SEEN = new byte[Probes.CAPACITY];

    private TypicalDuration() {}

    /** Takes in a call; the mask of what held of its time is returned, 0 while that can't be judged. */
    static int judge(int probe, long nanos) {
        int seen = SEEN[probe];
        long usual = NANOS[probe];
        if (seen < LEARNING) {
            SEEN[probe] = (byte) (seen + 1);
            NANOS[probe] = (usual * seen + nanos) / (seen + 1);
            return 0;
        }
        NANOS[probe] = nanos > usual ? usual + usual / 11 + 1 : usual - usual / 100;
        return exceeds(nanos, usual) ? 1 << ObservedPredicate.SLOW : 1 << ObservedPredicate.USUAL;
    }

    /**
     * Whether a call that isn't over has taken far longer than is usual; false while that can't be judged. Learns
     * nothing.
     */
    static boolean isExceeded(int probe, long nanos) {
        return SEEN[probe] >= LEARNING && exceeds(nanos, NANOS[probe]);
    }

    private static boolean exceeds(long nanos, long usual) {
        return nanos > usual * TIMES && nanos - usual > LEAST_NANOS;
    }
}
