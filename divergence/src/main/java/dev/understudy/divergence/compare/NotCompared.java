package dev.understudy.divergence.compare;

/** Why an exchange has no comparison. */
public enum NotCompared {
    /** Debug has not answered and never will on this connection. */
    NO_DEBUG_REPLY,
    /** Debug closed the connection before its reply was complete. */
    DEBUG_CLOSED,
    /** Debug could not be reached. */
    DEBUG_UNREACHABLE,
    /** Production has not answered, so there is nothing to compare with. */
    NO_PRODUCTION_REPLY,
    /** The debug window overflowed; input or replies were lost. */
    OVERFLOW,
    /** The bytes of one side are not framed. */
    UNFRAMED,
    /** The client speaks TLS with production itself, which can't be copied. */
    ENCRYPTED,
    /** One of the replies was cut off. */
    INCOMPLETE,
    /** Debug took longer than allowed. */
    TIMED_OUT,
    /**
     * A reply couldn't be assigned to its request, or a connection was open before the tee was on and couldn't be
     * joined.
     */
    NOT_JOINED,
    /**
     * From here on the server speaks without being asked (Redis subscriptions, MONITOR, replication), or is told to be
     * silent.
     */
    SERVER_PUSH,
    /** The server made this answer up from its own state, or by chance: equal ones aren't to be expected. */
    VOLATILE,
    /**
     * Of replies this large only hashes are known, which say nothing where an order means nothing, or of compressed
     * content.
     */
    TOO_LARGE,
    /** A body has a content coding that isn't read, or can't be read by its own: the differences say which. */
    ENCODING,
    /** An earlier reply of this connection had another length, and nothing but lengths tells where this one begins. */
    MISALIGNED,
    /**
     * The debug server lets clients in in another way than production, or wants a proof of their password that is good
     * for itself only, and can't be copied: let it trust them.
     */
    AUTHENTICATION,
    /**
     * The replies differ, and debug's upstream calls were answered by a guess between recorded replies that say
     * different things: the difference may be the guess's.
     */
    GUESSED,
    /**
     * The replies differ, and debug got the request before it had answered one that production had answered before it:
     * the difference may be the order's.
     */
    OUT_OF_ORDER,
    /** The client went away before production had answered. */
    CLIENT_CLOSED,
    /** We were shut down. */
    SHUTDOWN,
    /** The tee was switched off in between. */
    SWITCHED_OFF,
    /** A defect of ours. */
    INTERNAL
}
