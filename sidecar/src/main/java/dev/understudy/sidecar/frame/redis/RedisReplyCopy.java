package dev.understudy.sidecar.frame.redis;

import dev.understudy.divergence.compare.RespReply;
import dev.understudy.divergence.compare.RespReplyCapture;
import dev.understudy.divergence.content.Span;
import dev.understudy.sidecar.frame.ReplyCopy;
import dev.understudy.sidecar.frame.ReplyMemory;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Keeps the bytes of one side's reply. Confined to its lane loop. */
final class RedisReplyCopy extends ReplyCopy {
    private final int most;
    private @Nullable RespReplyCapture capture;

    /** @param most bytes that are kept */
    RedisReplyCopy(ReplyMemory memory, int most) {
        super(memory);
        this.most = most;
    }

    void add(ByteBuffer bytes, long nanos) {
        if (!begun()) {
            begin(nanos);
        }
        if (capture == null && keeps()) {
            capture = new RespReplyCapture(most);
        }
        if (capture != null) {
            capture.add(bytes);
            charge();
        }
    }

    void end(long nanos) {
        complete(nanos);
        if (capture != null) {
            capture.end();
        }
    }

    /** The reply, or null if there was no room to keep it. */
    @Nullable
    RespReply finish(Span times) {
        return capture == null ? null : capture.finish(times.from(), times.to());
    }

    @Override
    protected @Nullable RespReplyCapture kept() {
        return capture;
    }

    @Override
    protected void forget() {
        capture = null;
    }
}
