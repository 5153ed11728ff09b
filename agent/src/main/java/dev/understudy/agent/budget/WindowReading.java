package dev.understudy.agent.budget;

/** What the sidecar says about the debug window at one moment. Immutable. */
public final class WindowReading {
    private final double utilisation;
    private final long lagMillis;
    private final long orders;
    private final Flow flow;
    private final boolean spans;

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
        this(utilisation, lagMillis, orders, Flow.NONE, true);
    }

    /**
     * A reading that also says how fast exchanges come and go, and whether the sidecar has anybody to hand spans on to.
     */
    public WindowReading(double utilisation, long lagMillis, long orders, Flow flow, boolean spans) {
        this.utilisation = utilisation;
        this.lagMillis = lagMillis;
        this.orders = orders;
        this.flow = flow;
        this.spans = spans;
    }

    /** How full the fullest buffer is, 0 to 1. */
    public double utilisation() {
        return utilisation;
    }

    /** How long the oldest undelivered request has waited. */
    public long lagMillis() {
        return lagMillis;
    }

    /** How fast exchanges come and go. */
    public Flow flow() {
        return flow;
    }

    /** Whether spans that are sent to the sidecar get anywhere; also true if it doesn't say. */
    public boolean spans() {
        return spans;
    }

    /** The revision of what the operator wants; -1 if the sidecar knows of no orders. */
    public long orders() {
        return orders;
    }

    /** How fast exchanges come and go, and how fast they would have to. Immutable. */
    public static final class Flow {
        /** Nothing is known, and nothing is wanted. */
        public static final Flow NONE = new Flow(0, 0, 0, -1);

        final double arriving;
        final double served;
        final long wantedMillis;
        final double needed;

        /**
         * Rates of exchanges a second; the first two are 0 as long as they aren't known.
         *
         * @param served those that debug answers while it has any to answer
         * @param wantedMillis how long the window is to last; 0 if nobody said
         * @param needed those that it has to answer for that, by the model; below 0 as long as that isn't known
         */
        public Flow(double arriving, double served, long wantedMillis, double needed) {
            this.arriving = arriving;
            this.served = served;
            this.wantedMillis = wantedMillis;
            this.needed = needed;
        }
    }
}
