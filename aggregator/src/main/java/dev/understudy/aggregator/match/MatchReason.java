package dev.understudy.aggregator.match;

/** By what a recorded exchange was chosen for a debug call, the surest first. */
public enum MatchReason {
    /** Production made its call in the trace of the same inbound exchange. */
    TRACE,
    /** Production made its call in the transaction from which the debug transaction has had its other replies. */
    TRANSACTION,
    /** Of what production got while it served the same inbound exchange, its values alone stand in the reply. */
    VALUES,
    /** Production made its call while it served an inbound exchange that debug is serving now. */
    INTERVAL,
    /** It is the oldest one of this form. */
    ORDER
}
