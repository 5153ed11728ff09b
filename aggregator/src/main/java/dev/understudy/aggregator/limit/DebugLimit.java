package dev.understudy.aggregator.limit;

/** A bound of what debug connections may take, and why one was refused something, or closed, when it was reached. */
public enum DebugLimit {
    /** As many debug connections are open as may be. */
    CONNECTIONS,
    /** As many file descriptors are taken as the debug side may have, or production needs them. */
    DESCRIPTORS,
    /** One connection held as much as a single one may. */
    CONNECTION_MEMORY,
    /** All debug connections of the process together held as much as they may. */
    MEMORY,
    /** The client didn't log in, or begin to, in time. */
    LOGIN_TIME,
    /** Nothing was sent in either direction for too long. */
    IDLE_TIME
}
