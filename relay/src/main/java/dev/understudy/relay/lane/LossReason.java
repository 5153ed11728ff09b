package dev.understudy.relay.lane;

/** Why a part of the debug copy of a connection is missing; never anything that production noticed. */
public enum LossReason {
    /** Nothing is missing. */
    NONE,
    /** The lane's own budget was used up, in bytes or in entries. */
    OVERFLOW_LANE,
    /** The budget that all lanes share was used up. */
    OVERFLOW_GLOBAL,
    /** The memory was used up, and so was the room on disk. */
    OVERFLOW_DISK,
    /** The memory was used up and the disk couldn't be written, or what lay on it couldn't be read back. */
    SPILL_FAILED,
    /** The ring between the relay's process and this one was full: this one was stopped, dead, or not fast enough. */
    OVERFLOW_RING,
    /** No connection to the debug JVM came about while the window held. */
    DEBUG_UNREACHABLE,
    /**
     * The debug side may have no more sockets, or gave one back, since clients' connections need the file descriptors.
     */
    NO_DESCRIPTORS,
    /** The debug JVM closed its connection while there was more to tell it. */
    DEBUG_CLOSED,
    /** The debug JVM reset its connection. */
    DEBUG_RESET,
    /**
     * The debug JVM took nothing for too long, on a connection that its client had left, or whose copy was to begin
     * again.
     */
    DEBUG_STALLED,
    /** The debug JVM refused what a connection depends on whose copy was to begin again: a login, a database. */
    SESSION_REFUSED,
    /** A defect on the debug side of the sidecar; the relay was not touched. */
    INTERNAL,
    /** The lane was shut down from above. */
    SHUTDOWN,
    /** The tee was switched off; the connection goes on without it. */
    SWITCHED_OFF,
    /** Bytes that can't be cut into requests followed a request that the sampling had left out. */
    NOT_SAMPLED,
    /** HTTP/2 that can't be read followed headers that had been changed: nobody knows what it means after those. */
    REENCODED,
    /** The client speaks TLS with production itself: a copy of what they say means nothing to the debug JVM. */
    ENCRYPTED
}
