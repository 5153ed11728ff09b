package dev.understudy.divergence.wire.http;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Receives what a framer made of one direction of a connection, in order.
 *
 * <p>Every {@code rawLength} is the number of wire bytes that this call accounts for. Their sum is
 * exactly the number of bytes fed, once the framer's {@code end()} was called; before that only the
 * bytes of an unfinished head are outstanding.
 *
 * @param <H> {@link RequestHead} or {@link ReplyHead}
 */
public interface HttpSink<H> {
    /** A message begins. */
    void head(H head, int rawLength);

    /** A reply with a 1xx status (except 101, which is a final one); the reply proper is still to come. */
    default void interim(ReplyHead head, int rawLength) {}

    /**
     * A piece of the message's body.
     *
     * @param content a view of the bytes fed, valid during this call only; empty where only framing
     *     bytes (chunk sizes, trailers) are accounted for
     */
    void body(ByteBuffer content, int rawLength);

    /** The trailers of a chunked body, before {@link #end()}, if there are any; already accounted for. */
    default void trailers(List<Header> trailers) {}

    /** The message is complete. */
    void end();

    /**
     * What follows isn't HTTP or can't be framed: garbage, a tunnel, an upgraded protocol, a message cut
     * off. A message begun and not ended stays incomplete. Called as soon as that is known, perhaps with
     * no bytes, and from then on for all further bytes with the same reason.
     */
    void unframed(String reason, int rawLength);
}
