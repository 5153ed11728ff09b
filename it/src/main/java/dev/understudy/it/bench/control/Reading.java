package dev.understudy.it.bench.control;

/**
 * What the sidecar read of its window.
 *
 * @param at when, in milliseconds since 1970
 * @param utilisation 0 to 1
 */
record Reading(long at, double utilisation, long lagMillis) {
    private static final double CALM = 0.05;
    private static final long CALM_LAG_MILLIS = 250;
    private static final double RISEN = 0.25;

    /** Whether the controller lets the budget grow, and hasn't reason to look at the trend. */
    boolean isCalm() {
        return utilisation <= CALM && lagMillis <= CALM_LAG_MILLIS;
    }

    /**
     * Whether that much, coming from calm at once, has the controller cut the budget: it would be more than half full
     * within a second.
     */
    boolean isRisen() {
        return utilisation > RISEN;
    }
}
