package dev.understudy.aggregator.http;

import dev.understudy.aggregator.journal.Form;
import dev.understudy.aggregator.match.TraceId;
import dev.understudy.divergence.wire.http.RequestHead;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/** One request as it comes in, up to its form; of the body only length and hash are kept, and its bytes
 * if they are few enough for whoever wants them. Confined to its connection. */
final class HttpRequest {
    private final RequestHead head;
    private final MessageDigest hash = sha256();
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream(0);
    private final int keep;
    private long length;

    /** Keeps no bytes. */
    HttpRequest(RequestHead head) {
        this(head, 0);
    }

    /** @param keep bytes that a body may have to be kept */
    HttpRequest(RequestHead head, int keep) {
        this.head = head;
        this.keep = keep;
    }

    RequestHead head() {
        return head;
    }

    void body(ByteBuffer content) {
        length += content.remaining();
        if (length <= keep) {
            byte[] bytes = new byte[content.remaining()];
            content.duplicate().get(bytes);
            kept.writeBytes(bytes);
        } else {
            kept.reset();
        }
        hash.update(content);
    }

    /** The body; null if it is longer than what is kept. */
    byte @Nullable [] body() {
        return length <= keep ? kept.toByteArray() : null;
    }

    /** The form of the complete request; to be called once. */
    Form form() {
        return HttpForms.of(head, length, hash.digest()).in(TraceId.ofTraceparent(head.first("traceparent")));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
