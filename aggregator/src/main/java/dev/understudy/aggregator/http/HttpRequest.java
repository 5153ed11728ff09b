package dev.understudy.aggregator.http;

import dev.understudy.aggregator.journal.Form;
import dev.understudy.aggregator.match.TraceId;
import dev.understudy.divergence.wire.http.RequestHead;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** One request as it comes in, up to its form; of the body only length and hash are kept. Confined to its connection. */
final class HttpRequest {
    private final RequestHead head;
    private final MessageDigest hash = sha256();
    private long length;

    HttpRequest(RequestHead head) {
        this.head = head;
    }

    RequestHead head() {
        return head;
    }

    void body(ByteBuffer content) {
        length += content.remaining();
        hash.update(content);
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
