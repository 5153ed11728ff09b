package dev.understudy.agent.budget;

/** What the sidecar says about the debug window at one moment. Immutable. */
public final class WindowReading {
    private final double utilisation;
    private final long lagMillis;

    /**
     * A reading.
     *
     * @param utilisation how full the fullest buffer is, 0 to 1
     * @param lagMillis how long the oldest undelivered request has waited
     */
    public WindowReading(double utilisation, long lagMillis) {
        this.utilisation = utilisation;
        this.lagMillis = lagMillis;
    }

    /** How full the fullest buffer is, 0 to 1. */
    public double utilisation() {
        return utilisation;
    }

    /** How long the oldest undelivered request has waited. */
    public long lagMillis() {
        return lagMillis;
    }
}
