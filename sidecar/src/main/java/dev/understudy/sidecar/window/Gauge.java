package dev.understudy.sidecar.window;

/**
 * What the model reads at each tick.
 *
 * @param occupancyBytes bytes held now
 * @param capacityBytes the global budget
 * @param fullestLane 0 to 1: how full the fullest lane is
 * @param lagNanos age of what debug owes longest
 */
public record Gauge(long occupancyBytes, long capacityBytes, double fullestLane, long lagNanos) {
    double utilisation() {
        double global = capacityBytes == 0 ? 0 : (double) occupancyBytes / capacityBytes;
        return Math.min(1, Math.max(global, fullestLane));
    }
}
