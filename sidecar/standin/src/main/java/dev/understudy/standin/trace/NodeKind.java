package dev.understudy.standin.trace;

/** What is at an end of a call. */
public enum NodeKind {
    /** It has spans of its own in the traces. */
    SERVICE,
    /** A database, known from its callers alone. */
    DATABASE,
    /** A queue or topic of messages, known from its callers alone. */
    QUEUE,
    /** Anything else that is known from its callers alone. */
    PEER
}
