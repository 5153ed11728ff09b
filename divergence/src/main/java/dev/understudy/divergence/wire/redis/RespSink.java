package dev.understudy.divergence.wire.redis;

import java.nio.ByteBuffer;
import java.util.List;

/** Receives what a {@link RespFramer} made of one direction of a connection, in order. */
public interface RespSink {
    /** One complete value and what it was sent as. */
    void value(RespValue value, Sent sent);

    /** The bytes that a value was sent as; valid while it is handed over. */
    interface Sent {
        int length();

        /** A copy of them. */
        byte[] bytes();
    }

    /**
     * A value is longer than what is handed over without asking. Asked once for each, at the same place of it whatever
     * the chunks.
     *
     * @param type of the value as a whole, e.g. {@code $} or {@code *}
     * @param begun those of its items that are complete
     * @param atLeast bytes that it has, by what is known so far
     * @return whether it shall be told as its bytes, in {@link #piece pieces}, and at last its {@link #largeEnds end}
     */
    default boolean largeBegins(char type, List<RespValue> begun, long atLeast) {
        return false;
    }

    /** Some bytes of such a value as it was sent, from its first on; valid during the call only. */
    default void piece(ByteBuffer wire) {}

    /** Such a value was whole. */
    default void largeEnds() {}

    /**
     * What follows isn't RESP, or is larger than allowed.
     *
     * @param remaining the bytes fed and not accounted for yet; from here every byte comes this way
     */
    void unframed(String reason, byte[] remaining);
}
