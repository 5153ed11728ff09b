package dev.understudy.aggregator.outgoing;

/** Why the upstream calls of an inbound exchange weren't compared. */
public enum Uncompared {
    /** A call may have been made for this exchange or for another one, and it isn't known for which. */
    AMBIGUOUS,
    /** Some of production's calls weren't recorded at that time. */
    NOT_RECORDED,
    /** The debug JVM never got the exchange. */
    NOT_SERVED,
    /** The calls were forgotten before both JVMs were done, for they are kept in bounded memory. */
    FORGOTTEN,
    /** More calls than are compared with each other ({@value CallComparison#MOST}). */
    TOO_MANY
}
