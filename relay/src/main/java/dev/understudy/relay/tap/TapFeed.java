package dev.understudy.relay.tap;

/**
 * What one connection's relay tells, in order, of what it has relayed. Confined to the connection's relay loop; nothing
 * here waits, and nothing throws: what fails ends the copy and leaves the relay alone.
 */
public interface TapFeed {
    /** Whether a read needs no more than {@link #skip}. */
    boolean isIdle();

    /** Notes a read that nobody copies. */
    void skip(Direction direction, int length);

    /** Bytes that were read and then flushed to their receiver; {@code read} and its buffer stay the caller's. */
    void read(TapRead read);

    /** Production accepted the connection. */
    void connected(long nanos);

    /** The sender in that direction sent its FIN. */
    void end(Direction direction, long nanos);

    /** The last call. */
    void closed(CloseReason reason, long nanos);

    /** Something is missing, by a defect: the copy ends. */
    void fail(Throwable e);
}
