package dev.understudy.sidecar.window;

/**
 * The window at one moment.
 *
 * @param at wall-clock time, epoch milliseconds
 * @param utilisation 0 to 1: of the fullest lane or of the global budget, whichever is higher
 * @param occupancyBytes bytes held for the debug side, overhead included
 * @param capacityBytes the global budget
 * @param lagMillis how far debug is behind production
 * @param pending exchanges that debug hasn't answered yet
 * @param arrivalRate exchanges per second, averaged over some seconds
 * @param serviceRate exchanges per second that debug answers while it has any to answer
 * @param estimate "not in sight" or "overflows in 4 min 12 s"
 */
public record WindowState(
        long at,
        double utilisation,
        long occupancyBytes,
        long capacityBytes,
        long lagMillis,
        long pending,
        double arrivalRate,
        double serviceRate,
        String estimate) {
    static final WindowState EMPTY = new WindowState(0, 0, 0, 0, 0, 0, 0, 0, "not in sight");
}
