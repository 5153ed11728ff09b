package dev.understudy.sidecar.window;

/** An exponentially weighted rate: events per second, with a memory of a few seconds. Confined to its caller. */
final class Rate {
    private final double memorySeconds;
    private double perSecond;
    private double weight;

    Rate(double memorySeconds) {
        this.memorySeconds = memorySeconds;
    }

    /** {@code events} happened within {@code seconds}. */
    void add(double events, double seconds) {
        if (seconds <= 0) {
            return;
        }
        double keep = Math.exp(-seconds / memorySeconds);
        perSecond = perSecond * keep + (events / seconds) * (1 - keep);
        weight = weight * keep + (1 - keep);
    }

    /** Events per second; 0 before anything was added. A young average isn't drawn towards zero. */
    double perSecond() {
        return weight == 0 ? 0 : perSecond / weight;
    }
}
