package dev.understudy.aggregator.record;

/** Why something that production exchanged with an upstream isn't in the journal. */
public enum Unrecorded {
    /** The bytes aren't the configured protocol, or not so that they can be framed. The rest of the connection is lost. */
    NOT_THE_PROTOCOL,
    /** The connection changed to another protocol. */
    UPGRADED,
    /** The connection was encrypted by its ends. */
    ENCRYPTED,
    /** The server speaks unasked on this connection (subscriptions, monitoring, replication). */
    SERVER_PUSH,
    /** The connection ended, or the upstream broke off, before the reply was complete. */
    INCOMPLETE,
    /** One message is larger than what the journal takes. */
    TOO_LARGE,
    /** Bulk data in a protocol of its own (PostgreSQL's COPY), which isn't recorded. */
    BULK_COPY,
    /** The lane's memory was full; the rest of the connection is lost. */
    LANE_OVERFLOW,
    /** Unfinished exchanges of all connections held as much as they may; the rest of this connection is lost. */
    RECORDERS_FULL,
    /** An error of our own. */
    INTERNAL
}
