package dev.understudy.relay.ring;

/** Is told of bytes in the rings that nobody gets, as the beginning of their connection isn't known. */
@FunctionalInterface
public interface UnknownBytes {
    /** So many of a listener; on the thread that reads. The number comes from the ring: there may be no such listener. */
    void add(int listener, long bytes);
}
