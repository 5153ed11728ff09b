package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.compare.body.Unheld;
import dev.understudy.divergence.content.Sha256;
import dev.understudy.divergence.content.TextSpan;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One reply as far as it was captured. The arrays are shared, not copied: leave them unchanged.
 *
 * @param interim the 1xx replies before it, but for 100 and 102, which depend on timing only
 * @param body the first bytes of the body, without framing
 * @param bodyLength the length of the whole body in bytes, which may exceed {@code body.length}
 * @param sha256 of the whole body; may be empty if that is held, and is then computed when it is asked for
 * @param trailers of a chunked body
 * @param complete whether the reply was seen to its end
 * @param begun when the request arrived at this side
 * @param ended when this side's reply was complete
 * @param unheld what else is known of a body that isn't held; null if nothing is
 */
@SuppressWarnings("ArrayRecordComponent") // bodies are large: shared, never compared by equals
public record HttpReply(
        List<ReplyHead> interim,
        ReplyHead head,
        byte[] body,
        long bodyLength,
        byte[] sha256,
        List<Header> trailers,
        boolean complete,
        Instant begun,
        Instant ended,
        @Nullable Unheld unheld) {
    /** One of which nothing is known but what is held. */
    public HttpReply(
            List<ReplyHead> interim,
            ReplyHead head,
            byte[] body,
            long bodyLength,
            byte[] sha256,
            List<Header> trailers,
            boolean complete,
            Instant begun,
            Instant ended) {
        this(interim, head, body, bodyLength, sha256, trailers, complete, begun, ended, null);
    }

    public HttpReply {
        interim = List.copyOf(interim);
        trailers = List.copyOf(trailers);
    }

    @Override
    public byte[] sha256() {
        return sha256.length == 0 && held() ? Sha256.of(body) : sha256;
    }

    /** Whether {@link #body} is the whole body. */
    public boolean held() {
        return body.length == bodyLength;
    }

    /** Whether both bodies are equal from the first byte to the last. */
    boolean hasBodyOf(HttpReply other) {
        if (bodyLength != other.bodyLength) {
            return false;
        }
        if (held() && other.held()) {
            return Arrays.equals(body, other.body);
        }
        byte[] hash = sha256();
        return hash.length == 32 && MessageDigest.isEqual(hash, other.sha256());
    }

    TextSpan span() {
        return new TextSpan(begun, ended);
    }
}
