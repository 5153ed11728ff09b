package dev.understudy.sidecar.window;

/**
 * What the model reads at each tick.
 *
 * @param occupancyBytes bytes held now
 * @param capacityBytes the global budget
 * @param fullestLane 0 to 1: how full the fullest lane is
 * @param lagNanos age of what debug owes longest
 * @param waitingBytes of them, bytes as they came that nobody has looked at yet
 * @param toldBytes bytes that somebody has looked at, since the start
 */
public record Gauge(
        long occupancyBytes, long capacityBytes, double fullestLane, long lagNanos, long waitingBytes, long toldBytes) {
    /** One in which nothing waits. */
    public Gauge(long occupancyBytes, long capacityBytes, double fullestLane, long lagNanos) {
        this(occupancyBytes, capacityBytes, fullestLane, lagNanos, 0, 0);
    }

    double utilisation() {
        double global = capacityBytes == 0 ? 0 : (double) occupancyBytes / capacityBytes;
        return Math.min(1, Math.max(global, fullestLane));
    }
}
