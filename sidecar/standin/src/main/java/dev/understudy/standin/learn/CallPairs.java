package dev.understudy.standin.learn;

import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.http.RequestHead;
import dev.understudy.sidecar.record.HttpDialogue;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The exchanges of one HTTP/1 connection with what is kept of their bodies. */
final class CallPairs extends HttpDialogue<CallPairs.Pending> {
    /** What is kept of a body; longer JSON isn't looked into. */
    static final int MOST_BODY = 1 << 20;

    private static final int MOST_PIPELINED = 1000;

    private final long connection;
    private final Consumer<RecordedCall> sink;
    private final KeptBytes kept;

    static final class Pending {
        final RequestHead head;
        final PartialBody body;
        final PartialBody replyBody;
        long arrivedNanos;

        @Nullable
        ReplyHead reply;

        Pending(RequestHead head, long arrivedNanos, KeptBytes kept) {
            this.head = head;
            this.body = new PartialBody(kept);
            this.replyBody = new PartialBody(kept);
            this.arrivedNanos = arrivedNanos;
        }
    }

    /** A body's first bytes, and how long all of it was. */
    private static final class PartialBody {
        final ByteArrayOutputStream first = new ByteArrayOutputStream(0);
        private final KeptBytes kept;
        long length;

        PartialBody(KeptBytes kept) {
            this.kept = kept;
        }

        void add(ByteBuffer content) {
            length += content.remaining();
            byte[] bytes = new byte[kept.take(Math.min(content.remaining(), MOST_BODY - first.size()))];
            content.get(bytes);
            first.writeBytes(bytes);
        }

        /** Its bytes, which nobody keeps any more. */
        byte[] handOver() {
            kept.give(first.size());
            return first.toByteArray();
        }
    }

    CallPairs(long connection, Consumer<RecordedCall> sink, KeptBytes kept) {
        super(MOST_PIPELINED);
        this.connection = connection;
        this.sink = sink;
        this.kept = kept;
    }

    /** Nothing follows; how many requests have no whole reply. */
    int end() {
        unanswered().forEach(pending -> {
            pending.body.handOver();
            pending.replyBody.handOver();
        });
        return unanswered().size();
    }

    @Override
    protected Pending begin(RequestHead head, int rawLength) {
        return new Pending(head, now(), kept);
    }

    @Override
    protected void requestBody(Pending pending, ByteBuffer content, int rawLength) {
        pending.body.add(content);
    }

    @Override
    protected void requestEnd(Pending pending) {
        pending.arrivedNanos = now();
    }

    @Override
    protected void replyHead(Pending pending, ReplyHead head, int rawLength) {
        pending.reply = head;
    }

    @Override
    protected void replyBody(Pending pending, ByteBuffer content, int rawLength) {
        pending.replyBody.add(content);
    }

    @Override
    protected void end(Pending whole) {
        if (whole.reply != null) {
            sink.accept(new RecordedCall(
                    connection,
                    whole.head,
                    whole.body.handOver(),
                    whole.body.length,
                    whole.arrivedNanos,
                    whole.reply,
                    whole.replyBody.handOver(),
                    whole.replyBody.length,
                    Math.max(now(), whole.arrivedNanos)));
        }
    }
}
