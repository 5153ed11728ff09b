package dev.understudy.aggregator.replay;

/** Writes the rest of a reply that was begun, as fast as it is read. Confined to its connection's event loop. */
public interface Pump {
    /** Goes on if the channel is writable; to be called whenever that may have changed. */
    void flow();

    /** Bytes of memory that wait to be written. */
    default long heldBytes() {
        return 0;
    }

    /** The connection is over, or nobody wants the rest. */
    void cancel();
}
