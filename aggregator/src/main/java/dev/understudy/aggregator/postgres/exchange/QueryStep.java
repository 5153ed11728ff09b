package dev.understudy.aggregator.postgres.exchange;

/** A step of the extended protocol, in the order in which a statement takes them. */
public enum QueryStep {
    PARSE(0),
    BIND(1),
    EXECUTE(2);

    private final int code;

    QueryStep(int code) {
        this.code = code;
    }

    /** How it is written. */
    int code() {
        return code;
    }

    /** The step that is written so. */
    static QueryStep of(int code) {
        return code == 0 ? PARSE : code == 1 ? BIND : EXECUTE;
    }
}
