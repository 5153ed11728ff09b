package dev.understudy.divergence.wire.mysql;

/** Receives what a {@link PacketFramer} cuts, in order. */
public interface PacketSink {
    /**
     * A packet is complete.
     *
     * @param sequence the number of its first part, 0 to 255
     * @param payload without headers, continuation packets joined; the receiver's own
     */
    void packet(int sequence, byte[] payload);

    /** A packet has begun that is longer than the limit; nothing is cut from here on. Told once. */
    void oversized(long atLeast);
}
