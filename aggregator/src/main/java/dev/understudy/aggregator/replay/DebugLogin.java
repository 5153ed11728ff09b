package dev.understudy.aggregator.replay;

/** How far the login of a debug connection is, told as an event of its pipeline by protocols that have a login. */
public enum DebugLogin {
    /** It is the client's turn. */
    AWAITED,
    /** The client is let in. */
    DONE
}
