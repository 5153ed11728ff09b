package dev.understudy.divergence.wire.mysql;

import java.nio.ByteBuffer;

/** Takes one packet that is too long to be held whole. */
public interface PacketTaker {
    /** A part of so many bytes begins; the last one is shorter than {@link PacketFramer#FULL}. */
    void part(int length);

    /** Takes all of these bytes of the part. */
    void bytes(ByteBuffer some);

    /** Memory that is kept of it so far. */
    default long heldBytes() {
        return 0;
    }

    /** The packet is complete. */
    void end();
}
