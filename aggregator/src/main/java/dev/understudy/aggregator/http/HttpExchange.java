package dev.understudy.aggregator.http;

import dev.understudy.aggregator.journal.Form;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One of production's exchanges while it goes on; holds no more of the reply than may be recorded. */
final class HttpExchange {
    /** Heads, hash and objects. */
    private static final long OVERHEAD = 2_000;

    private final HttpRequest request;
    private final long startNanos;
    private final long largestBody;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream(0);
    private @Nullable Form form;
    private @Nullable ReplyHead replyHead;
    private List<Header> trailers = List.of();
    private boolean replyComplete;
    private boolean tooLarge;

    HttpExchange(HttpRequest request, long startNanos, long largestBody) {
        this.request = request;
        this.startNanos = startNanos;
        this.largestBody = largestBody;
    }

    HttpRequest request() {
        return request;
    }

    long startNanos() {
        return startNanos;
    }

    void requestComplete() {
        form = request.form();
    }

    void replyBegins(ReplyHead head) {
        replyHead = head;
    }

    void replyBody(ByteBuffer content) {
        tooLarge |= body.size() + (long) content.remaining() > largestBody;
        if (tooLarge) {
            body.reset();
            return;
        }
        byte[] piece = new byte[content.remaining()];
        content.get(piece);
        body.writeBytes(piece);
    }

    /** About what this exchange takes in memory; a growing body has room to spare. */
    long heldBytes() {
        return OVERHEAD + 2L * body.size();
    }

    void trailers(List<Header> received) {
        trailers = List.copyOf(received);
    }

    void replyComplete() {
        replyComplete = true;
    }

    /** Whether its reply has begun. */
    boolean answered() {
        return replyHead != null;
    }

    /** A server may answer before it has read the request to its end. */
    boolean complete() {
        return form != null && replyComplete;
    }

    boolean tooLarge() {
        return tooLarge;
    }

    Form form() {
        return present(form);
    }

    HttpAnswer answer() {
        ReplyHead head = present(replyHead);
        HttpAnswer.Framing framing = HttpAnswer.Framing.of(request.head().method(), head);
        return new HttpAnswer(head, body.toByteArray(), trailers, framing);
    }

    private static <T> T present(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("the exchange isn't complete");
        }
        return value;
    }
}
