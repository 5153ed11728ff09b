package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.compare.http.HttpReply;
import dev.understudy.divergence.compare.http.HttpReplyCapture;
import dev.understudy.divergence.content.TextSpan;
import dev.understudy.divergence.content.ValueWords;
import dev.understudy.divergence.wire.http.GrpcCode;
import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.sidecar.frame.ReplyCopy;
import dev.understudy.sidecar.frame.ReplyMemory;
import dev.understudy.sidecar.verdict.ReplyExcerpt;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps one side's HTTP reply: its head, and of its body what there is room for. Confined to its lane loop. */
public final class HttpReplyCopy extends ReplyCopy {
    private static final int CONTINUE = 100;

    /** Bytes of a body whose values are looked for: that is done on the lane loop. */
    private static final int MOST_READ = 64 << 10;

    private final int maxBody;
    private @Nullable HttpReplyCapture capture;
    private int status;
    private @Nullable GrpcCode grpc;
    private long bodyBytes;
    private boolean last;
    private boolean goAhead;

    /** @param maxBody bytes of the body that are kept */
    public HttpReplyCopy(ReplyMemory memory, int maxBody) {
        super(memory);
        this.maxBody = maxBody;
    }

    void interim(ReplyHead head, int rawLength) {
        goAhead |= head.status() == CONTINUE;
        HttpReplyCapture current = capture();
        if (current != null) {
            current.interim(head, rawLength);
            charge();
        }
    }

    void head(ReplyHead head, int rawLength, long nanos) {
        begin(nanos);
        status = head.status();
        last = ConnectionOptions.of(head.all("Connection"), head.version()).closes();
        grpc = GrpcCode.of(head.headers());
        HttpReplyCapture current = capture();
        if (current != null) {
            current.head(head, rawLength);
            charge();
        }
    }

    @Override
    public boolean isLast() {
        return last;
    }

    void body(ByteBuffer content, int rawLength) {
        bodyBytes += content.remaining();
        if (capture != null) {
            capture.body(content, rawLength);
            charge();
        }
    }

    void trailers(List<Header> trailers) {
        GrpcCode told = GrpcCode.of(trailers);
        grpc = told == null ? grpc : told;
        if (capture != null) {
            capture.trailers(trailers);
        }
    }

    void end(long nanos) {
        complete(nanos);
        if (capture != null) {
            capture.end();
        }
    }

    /** The reply, or null if there was no room to keep it, or none has begun. */
    public @Nullable HttpReply finish(TextSpan times) {
        return capture == null || !capture.begun() ? null : capture.finish(times.from(), times.to());
    }

    @Override
    public @Nullable ReplyExcerpt excerpt() {
        ReplyHead head = capture == null ? null : capture.head();
        return capture == null || head == null
                ? null
                : new ReplyExcerpt(
                        head.status(),
                        head.reason(),
                        head.headers(),
                        capture.bodyStart(ReplyExcerpt.MOST_BODY),
                        bodyBytes);
    }

    @Override
    public void addTo(ValueWords words) {
        if (capture != null && bodyBytes <= MOST_READ) {
            capture.addTo(words);
        }
    }

    /** Its HTTP status; 0 before the head. */
    @Override
    public int status() {
        return status;
    }

    @Override
    public boolean isGoAhead() {
        return goAhead;
    }

    /** Of gRPC how the call ended, e.g. {@code grpc 13}, which its HTTP status doesn't tell. */
    @Override
    public String said() {
        return grpc == null ? "" : grpc.said();
    }

    /** Bytes of its body that came, kept or not. */
    public long bodyBytes() {
        return bodyBytes;
    }

    @Override
    protected @Nullable HttpReplyCapture kept() {
        return capture;
    }

    @Override
    protected void forget() {
        capture = null;
    }

    private @Nullable HttpReplyCapture capture() {
        if (capture == null && keeps()) {
            capture = new HttpReplyCapture(maxBody);
        }
        return capture;
    }
}
