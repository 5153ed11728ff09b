package dev.understudy.aggregator.mysql.record;

import dev.understudy.divergence.wire.mysql.PacketTaker;
import org.jspecify.annotations.Nullable;

/** The command whose answer is coming. Confined to the connection's lane loop. */
interface Answering {
    /** Takes the next packet of the server's; true if it was the answer's last. */
    boolean read(byte[] payload, long nanos);

    /** What takes the next packet, which is long and isn't the answer's last; null if that must be held whole. */
    default @Nullable PacketTaker large() {
        return null;
    }

    /** Bytes that are held of it. */
    default long heldBytes() {
        return 0;
    }

    /** Whether the client's next packets aren't commands but belong to this one. */
    default boolean listens() {
        return false;
    }

    /** Whether the session is known without this. */
    default boolean isLosable() {
        return true;
    }

    /** There will be no more of it. */
    default void abandon() {}
}
