package dev.understudy.aggregator.record;

import dev.understudy.aggregator.body.Loss;

/** Why something that production exchanged with an upstream isn't in the journal. */
public enum Unrecorded {
    /**
     * The bytes aren't the configured protocol, or not so that they can be framed. The rest of the connection is lost,
     * or one message alone where it is known how the next one begins.
     */
    NOT_THE_PROTOCOL,
    /** The connection changed to another protocol. */
    UPGRADED,
    /** The connection was encrypted by its ends. */
    ENCRYPTED,
    /** The connection was compressed by its ends, in a way that isn't undone here. */
    COMPRESSED,
    /** The server speaks unasked on this connection, in a way that isn't replayed (monitoring, replication). */
    SERVER_PUSH,
    /** The client had switched replies off (Redis's CLIENT REPLY), so there is nothing to replay. */
    UNANSWERED,
    /**
     * A subscription's message, or a connection of a protocol that isn't known, that no debug connection had in time.
     */
    UNHEARD,
    /** The connection ended, or the upstream broke off, before the reply was complete. */
    INCOMPLETE,
    /**
     * The server answered before it had the whole request (as with 413), which was then cut off: nobody knows what it
     * was.
     */
    ANSWERED_EARLY,
    /** One message is larger than what the journal takes. */
    TOO_LARGE,
    /** A large reply, for which the journal's part of the disk has no room left. */
    DISK_FULL,
    /** A large reply that came faster than the disk took it. */
    DISK_SLOW,
    /** A large reply that couldn't be written to disk. */
    DISK_FAILED,
    /**
     * PostgreSQL's COPY among several statements, of a client that stopped sending after an error, or for replication.
     */
    BULK_COPY,
    /** The lane's memory was full; the rest of the connection is lost. */
    LANE_OVERFLOW,
    /** Unfinished exchanges of all connections held as much as they may; the rest of this connection is lost. */
    RECORDERS_FULL,
    /** The connection was open before the process that records, or its beginning found no room in the rings. */
    BEGUN_BEFORE,
    /** An error of our own. */
    INTERNAL;

    /** Why a large reply isn't recorded. */
    public static Unrecorded of(Loss loss) {
        return switch (loss) {
            case NO_ROOM -> DISK_FULL;
            case SLOW -> DISK_SLOW;
            case FAILED -> DISK_FAILED;
        };
    }
}
