package dev.understudy.relay.ring;

/** Counts bytes in the rings that nobody gets, as the beginning of their connection isn't known. */
@FunctionalInterface
public interface UnknownBytes {
    /** So many of a listener; on the thread that reads. Its number is as it is in the ring: there may be none such. */
    void add(int listener, long bytes);
}
