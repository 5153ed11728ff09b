package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.compare.ReplyCapture;
import dev.understudy.divergence.compare.body.BodyCapture;
import dev.understudy.divergence.compare.body.StreamedBody;
import dev.understudy.divergence.compare.body.StreamedJson;
import dev.understudy.divergence.compare.body.StreamedText;
import dev.understudy.divergence.content.MediaType;
import dev.understudy.divergence.content.ValueWords;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.ReplyHead;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects one reply in bounded memory: head, trailers and the first bytes of the body, and of the rest
 * length and hash. Confined to one thread.
 *
 * <p>Feed it all events of one message; it can be the framer's sink itself while that message lasts.
 */
public final class HttpReplyCapture implements ReplyCapture, HttpSink<ReplyHead> {
    private static final int MAX_INTERIM = 8;
    private static final int OVERHEAD = 256;
    private static final Set<Charset> ASCII_BASED =
            Set.of(StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1, StandardCharsets.US_ASCII);

    private final List<ReplyHead> interim = new ArrayList<>(0);
    private @Nullable ReplyHead head;
    private int headBytes;
    private final BodyCapture body;
    private List<Header> trailers = List.of();
    private boolean ended;
    private boolean lost;

    /** @param maxBody how many bytes of the body are kept; of a longer body length and hash decide */
    public HttpReplyCapture(int maxBody) {
        body = new BodyCapture(maxBody);
    }

    @Override
    public void interim(ReplyHead interimHead, int rawLength) {
        if (interimHead.status() == 100 || interimHead.status() == 102) {
            return;
        }
        if (interim.size() == MAX_INTERIM) {
            lost = true;
            return;
        }
        interim.add(interimHead);
        headBytes += rawLength;
    }

    @Override
    public void head(ReplyHead replyHead, int rawLength) {
        head = replyHead;
        MediaType type = MediaType.of(replyHead.first("Content-Type"));
        boolean plain = replyHead.all("Content-Encoding").isEmpty();
        body.reads(() -> type == null || !plain ? null : reader(type));
        headBytes += rawLength;
    }

    private static @Nullable StreamedBody reader(MediaType type) {
        if (type.isJson()) {
            return new StreamedJson();
        }
        Charset charset = type.charset();
        return type.isText() && charset != null && ASCII_BASED.contains(charset) ? new StreamedText() : null;
    }

    @Override
    public void body(ByteBuffer content, int rawLength) {
        body.add(content);
    }

    @Override
    public void trailers(List<Header> replyTrailers) {
        trailers = replyTrailers;
    }

    @Override
    public void end() {
        ended = true;
    }

    @Override
    public void unframed(String reason, int rawLength) {
        lost |= !ended;
    }

    /** Adds the values that stand in the body, if all of that is held, and not in a content coding. */
    public void addTo(ValueWords words) {
        if (head != null && head.all("Content-Encoding").isEmpty() && body.isHeld()) {
            words.add(body.bytes());
        }
    }

    /** Whether the head of the reply proper has arrived. */
    public boolean begun() {
        return head != null;
    }

    /** The head of the reply proper; null before it has arrived. */
    public @Nullable ReplyHead head() {
        return head;
    }

    /** The first bytes of the body, at most so many, as far as they are held; leave them unchanged. */
    public byte[] bodyStart(int most) {
        byte[] held = body.bytes();
        return held.length <= most ? held : Arrays.copyOf(held, most);
    }

    /** Whether the reply has been seen to its end. */
    public boolean ended() {
        return ended;
    }

    @Override
    public long heldBytes() {
        return OVERHEAD + 2L * headBytes + body.heldBytes();
    }

    @Override
    public void forgetContent() {
        body.forget();
    }

    /**
     * What has been captured; call it once, after {@link #head}.
     *
     * @param begun when the request arrived at this side
     * @param end when this side's reply was complete, or now
     * @throws IllegalStateException if no head has arrived
     */
    public HttpReply finish(Instant begun, Instant end) {
        if (head == null) {
            throw new IllegalStateException("no reply has begun");
        }
        return new HttpReply(
                interim,
                head,
                body.bytes(),
                body.length(),
                body.hash(),
                trailers,
                ended && !lost,
                begun,
                end,
                body.unheld());
    }
}
