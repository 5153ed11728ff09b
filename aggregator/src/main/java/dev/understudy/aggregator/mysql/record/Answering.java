package dev.understudy.aggregator.mysql.record;

/** The command whose answer is coming. Confined to the connection's lane loop. */
interface Answering {
    /** Takes the next packet of the server's; true if it was the answer's last. */
    boolean read(byte[] payload, long nanos);

    /** Bytes that are held of it. */
    default long heldBytes() {
        return 0;
    }

    /** Whether the client's next packets aren't commands but belong to this one. */
    default boolean listens() {
        return false;
    }

    /** Whether there will be no exchange to record even when it is complete. */
    default boolean passing() {
        return true;
    }
}
