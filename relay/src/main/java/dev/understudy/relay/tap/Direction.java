package dev.understudy.relay.tap;

/** Which way bytes of a relayed connection go. */
public enum Direction {
    /** From the client to production. */
    REQUEST,
    /** From production to the client. */
    REPLY
}
