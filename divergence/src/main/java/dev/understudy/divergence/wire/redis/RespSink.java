package dev.understudy.divergence.wire.redis;

/** Receives what a {@link RespFramer} made of one direction of a connection, in order. */
public interface RespSink {
    /** One complete value and the bytes it was sent as. */
    void value(RespValue value, byte[] raw);

    /**
     * What follows isn't RESP, or is larger than allowed.
     *
     * @param remaining the bytes fed and not accounted for yet; from here every byte comes this way
     */
    void unframed(String reason, byte[] remaining);
}
