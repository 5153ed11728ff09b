package dev.understudy.it.bench.control;

/**
 * What came of one run.
 *
 * @param sampling the agent's setting
 * @param capacity requests a second that production served alone, just before
 * @param slowed the same of the debug JVM
 * @param overflowed after how many seconds the window did; NaN if it didn't
 * @param lost by which reason, and how often, as the sidecar says; empty if nothing was
 * @param fullest the largest part of the window that was in use, 0 to 1
 * @param spent what the agent said it spent, of a core on average
 * @param samples a second, of all methods together
 * @param information Σ log(1 + samples a second)
 * @param failed requests that production didn't answer
 */
record Ran(
        String sampling,
        double capacity,
        double slowed,
        double overflowed,
        String lost,
        double fullest,
        long lagMillis,
        double spent,
        double samples,
        double information,
        int failed) {
    boolean held() {
        return Double.isNaN(overflowed);
    }
}
