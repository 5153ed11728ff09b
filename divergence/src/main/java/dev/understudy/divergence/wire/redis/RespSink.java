package dev.understudy.divergence.wire.redis;

import java.nio.ByteBuffer;

/** Receives what a {@link RespFramer} made of one direction of a connection, in order. */
public interface RespSink {
    /** One complete value and the bytes it was sent as. */
    void value(RespValue value, byte[] raw);

    /**
     * A string begins that is a value of its own; asked as soon as its length is known.
     *
     * @param length bytes of the string, which may be more than a value may have otherwise
     * @return whether its bytes shall be told in {@link #piece pieces} and at last its {@link #stringEnds end}, and no value
     */
    default boolean stringBegins(long length) {
        return false;
    }

    /** Some bytes of such a string; valid during the call only. */
    default void piece(ByteBuffer content) {}

    /** Such a string was whole. */
    default void stringEnds() {}

    /**
     * What follows isn't RESP, or is larger than allowed.
     *
     * @param remaining the bytes fed and not accounted for yet; from here every byte comes this way
     */
    void unframed(String reason, byte[] remaining);
}
