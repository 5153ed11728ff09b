package dev.understudy.divergence.wire.mysql;

import org.jspecify.annotations.Nullable;

/** Receives what a {@link PacketFramer} cuts, in order. */
public interface PacketSink {
    /**
     * A packet is complete.
     *
     * @param sequence the number of its first part, 0 to 255
     * @param payload without headers, continuation packets joined; the receiver's own
     */
    void packet(int sequence, byte[] payload);

    /**
     * A packet has begun that is longer than the limit, and that nobody takes; nothing is cut from here on. Told once.
     */
    void oversized(long atLeast);

    /**
     * A packet has begun that is longer than what is handed over whole without asking.
     *
     * @param first its first byte, 0 to 255
     * @param length of its first part, which is all of it if that is less than {@link PacketFramer#FULL}
     * @return what takes it as it comes; null if it is to be handed over whole, if the limit allows that
     */
    default @Nullable PacketTaker large(int sequence, int first, int length) {
        return null;
    }
}
