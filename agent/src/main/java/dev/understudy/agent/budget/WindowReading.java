package dev.understudy.agent.budget;

/** What the sidecar says about the debug window at one moment. Immutable. */
public final class WindowReading {
    private final double utilisation;
    private final long lagMillis;
    private final long orders;

    /**
     * A reading of a sidecar that knows of no orders.
     *
     * @param utilisation how full the fullest buffer is, 0 to 1
     * @param lagMillis how long the oldest undelivered request has waited
     */
    public WindowReading(double utilisation, long lagMillis) {
        this(utilisation, lagMillis, -1);
    }

    /**
     * A reading.
     *
     * @param utilisation how full the fullest buffer is, 0 to 1
     * @param lagMillis how long the oldest undelivered request has waited
     * @param orders the revision of what the operator wants; -1 if the sidecar knows of no orders
     */
    public WindowReading(double utilisation, long lagMillis, long orders) {
        this.utilisation = utilisation;
        this.lagMillis = lagMillis;
        this.orders = orders;
    }

    /** How full the fullest buffer is, 0 to 1. */
    public double utilisation() {
        return utilisation;
    }

    /** How long the oldest undelivered request has waited. */
    public long lagMillis() {
        return lagMillis;
    }

    /** The revision of what the operator wants; -1 if the sidecar knows of no orders. */
    public long orders() {
        return orders;
    }
}
