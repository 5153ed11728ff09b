package dev.understudy.sidecar.frame;

import io.netty.buffer.ByteBuf;

/** The beginning of a new connection to the debug JVM that no client speaks: said once, answered, and then over. */
public interface Opening {
    /** How far the answers have come. */
    enum Heard {
        /** Some are still to come. */
        MORE,
        /** All have come, and were agreed to. */
        DONE,
        /** Something was refused, so that the connection isn't what production's is. */
        REFUSED
    }

    /** What to say, owned by the caller; empty for nothing, which is no beginning at all. */
    ByteBuf bytes();

    /** Takes what it was answered out of {@code data}, which stays the caller's. */
    Heard heard(ByteBuf data);
}
