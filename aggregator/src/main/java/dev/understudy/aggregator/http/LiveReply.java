package dev.understudy.aggregator.http;

import dev.understudy.aggregator.exchange.Checksum;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.journal.ReplyOffer;
import dev.understudy.aggregator.record.Recording;
import dev.understudy.divergence.wire.http.Header;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A reply that the debug JVM may have while production receives it. It ends with {@link #end} if debug has it, and with
 * {@link #withdraw} if it hasn't. Confined to production's connection.
 */
final class LiveReply {
    private final Recording<HttpAnswer> recording;
    private final ReplyOffer<HttpAnswer> offer;
    private final HttpAnswer open;
    private final LiveBody stream;
    private final Checksum sum;
    private long length;
    private long heldBytes;

    private LiveReply(Recording<HttpAnswer> recording, ReplyOffer<HttpAnswer> offer, HttpAnswer open, byte[] begun) {
        this.recording = recording;
        this.offer = offer;
        this.open = open;
        this.stream = Objects.requireNonNull(open.stream());
        this.sum = new Checksum().add(open.head().status()).addPiece(ByteBuffer.wrap(begun));
        this.length = begun.length;
        this.heldBytes = begun.length;
    }

    /**
     * Offers a reply.
     *
     * @param open with a stream that is empty
     * @param begun what has come of its body by now
     * @return null if there is no such offer for this form
     */
    static @Nullable LiveReply offer(
            Recording<HttpAnswer> recording, Form form, HttpAnswer open, byte[] begun, long startNanos, long nowNanos) {
        Objects.requireNonNull(open.stream()).append(ByteBuffer.wrap(begun));
        ReplyOffer<HttpAnswer> offer = recording.offer(form, open, startNanos, nowNanos);
        return offer == null ? null : new LiveReply(recording, offer, open, begun);
    }

    /** Bytes that wait to be read, as they were when the last came. */
    long heldBytes() {
        return heldBytes;
    }

    /** Bytes that came by now. */
    long length() {
        return length;
    }

    /** Whether as many bytes more than fit beside those that wait, none of which anybody has begun to read. */
    boolean outgrows(int more, long room) {
        return !stream.isRead() && stream.heldBytes() + more > room;
    }

    /** The next bytes, which are copied. */
    void append(ByteBuffer content) {
        sum.addPiece(content.duplicate());
        length += content.remaining();
        stream.append(content);
        heldBytes = stream.heldBytes();
    }

    /** All that came by now, if nobody was given it, or will be; null if the debug JVM has it. */
    byte @Nullable [] withdraw() {
        return offer.withdraw() ? stream.takeBack() : null;
    }

    /** Keeps the complete reply after {@link #withdraw}. */
    void complete(HttpAnswer whole, long endNanos) {
        recording.complete(offer, whole, endNanos);
    }

    /** Ends it for the debug JVM. */
    void end(LiveBody.Ending how, List<Header> trailers) {
        stream.end(how, trailers);
        if (how == LiveBody.Ending.WHOLE) {
            recording.given(offer, HttpAnswer.answer(sum.add((int) length), open.head(), trailers));
        }
    }
}
