package dev.understudy.relay.tap;

/** Why a relayed connection ended; said once per connection. */
public enum CloseReason {
    /** Both directions ended with a FIN. */
    FINISHED,
    /** The client's socket was reset or its host went away. */
    RESET_BY_CLIENT,
    /** Production's socket was reset or its host went away. */
    RESET_BY_PRODUCTION,
    /**
     * Production's address wasn't known, or it refused the connection, or the TLS handshake with it failed; the client
     * was reset.
     */
    CONNECT_FAILED,
    /** Production didn't accept within the connect time-out; the client was reset. */
    CONNECT_TIMED_OUT,
    /** The process had no socket left for a connection to production; the client was reset. */
    NO_SOCKET,
    /** A transparent listener's client wasn't redirected to it, so that nobody knows where it wanted to go. */
    NO_DESTINATION,
    /**
     * A transparent listener's client is the relay itself, or wanted to go to the listener: it would go round for ever.
     */
    LOOP,
    /** A PROXY header was wanted, and the client isn't one whose header is believed. */
    HEADER_UNTRUSTED,
    /** What the client sent in a PROXY header's stead is none. */
    HEADER_MALFORMED,
    /** The PROXY header wasn't complete in time, or too many were awaited already. */
    HEADER_LATE,
    /** The client's TLS handshake failed, took too long, or too many were going on already. */
    TLS_FAILED,
    /** The listener was closed, or its drain time ran out. */
    SHUTDOWN,
    /** A defect of the relay itself; both sides were reset. */
    INTERNAL,
    /** Told to a {@link Tap} only: the connection goes on, but this tap of it is over. */
    UNTAPPED
}
