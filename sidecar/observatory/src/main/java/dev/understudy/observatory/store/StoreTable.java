package dev.understudy.observatory.store;

/** A table of the store. Each has segments of its own. */
public enum StoreTable {
    /**
     * One row for each request of each tier with its reply, see {@link
     * dev.understudy.observatory.event.TierExchange}. {@code status} is null where the protocol has none. A query also
     * sees {@code millis}, from {@code began} to {@code ended}.
     */
    EXCHANGES(
            "exchanges",
            "began",
            "tier VARCHAR, route VARCHAR, connection BIGINT, began TIMESTAMP, ended TIMESTAMP, request_bytes BIGINT, "
                    + "reply_bytes BIGINT, status SMALLINT, sure BOOLEAN, origin VARCHAR",
            ", (epoch_us(ended) - epoch_us(began)) / 1000.0 AS millis"),

    /** One row for each value of each sample, see {@link dev.understudy.observatory.sample.SampleSeries}. */
    SAMPLES("samples", "taken", "taken TIMESTAMP, source VARCHAR, metric VARCHAR, value DOUBLE, origin VARCHAR", "");

    private final String sqlName;
    private final String time;
    private final String columns;
    private final String derived;

    StoreTable(String sqlName, String time, String columns, String derived) {
        this.sqlName = sqlName;
        this.time = time;
        this.columns = columns;
        this.derived = derived;
    }

    /** What it is called in SQL, and what its segments' names begin with. */
    public String sqlName() {
        return sqlName;
    }

    /** The column, in UTC, by which its segments are ordered. */
    String time() {
        return time;
    }

    /** Names and types of what its segments have, as in SQL. */
    String columns() {
        return columns;
    }

    /** A column that only queries see, with a comma before it, or nothing. */
    String derived() {
        return derived;
    }
}
