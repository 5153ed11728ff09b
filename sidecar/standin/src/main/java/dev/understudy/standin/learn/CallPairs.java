package dev.understudy.standin.learn;

import dev.understudy.divergence.wire.http.HttpReplyFramer;
import dev.understudy.divergence.wire.http.HttpRequestFramer;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.http.RequestHead;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Pairs the requests of one HTTP/1 connection with its replies. Confined to one thread. */
final class CallPairs {
    /** What is kept of a body; longer JSON isn't looked into. */
    static final int MOST_BODY = 1 << 20;

    private static final int MOST_PIPELINED = 1000;

    private final long connection;
    private final Consumer<RecordedCall> sink;
    private final KeptBytes kept;
    private final Deque<Pending> expected = new ArrayDeque<>();
    private final HttpRequestFramer requests = new HttpRequestFramer(new Requests());
    private final HttpReplyFramer replies = new HttpReplyFramer(new Replies());
    private boolean gaveUp;
    private long now;

    private static final class Pending {
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
        this.connection = connection;
        this.sink = sink;
        this.kept = kept;
    }

    /** Whether what follows can't be read. */
    boolean gaveUp() {
        return gaveUp;
    }

    /** Nothing follows; how many requests have no whole reply. */
    int end() {
        expected.forEach(pending -> {
            pending.body.handOver();
            pending.replyBody.handOver();
        });
        return expected.size();
    }

    void request(ByteBuffer bytes, long nanos) {
        now = nanos;
        requests.feed(bytes);
    }

    void reply(ByteBuffer bytes, long nanos) {
        now = nanos;
        replies.feed(bytes);
    }

    void replyEnd(long nanos) {
        now = nanos;
        replies.end();
    }

    private final class Requests implements HttpSink<RequestHead> {
        private @Nullable Pending asking;

        @Override
        public void head(RequestHead head, int rawLength) {
            if (expected.size() >= MOST_PIPELINED) {
                gaveUp = true;
                return;
            }
            asking = new Pending(head, now, kept);
            expected.add(asking);
            replies.expect(head.method());
        }

        @Override
        public void body(ByteBuffer content, int rawLength) {
            if (asking != null) {
                asking.body.add(content);
            }
        }

        @Override
        public void end() {
            if (asking != null) {
                asking.arrivedNanos = now;
                asking = null;
            }
        }

        @Override
        public void unframed(String reason, int rawLength) {
            gaveUp = true;
        }
    }

    private final class Replies implements HttpSink<ReplyHead> {
        @Override
        public void head(ReplyHead head, int rawLength) {
            Pending pending = expected.peek();
            if (pending != null) {
                pending.reply = head;
            }
        }

        @Override
        public void body(ByteBuffer content, int rawLength) {
            Pending pending = expected.peek();
            if (pending != null) {
                pending.replyBody.add(content);
            }
        }

        @Override
        public void end() {
            Pending whole = expected.poll();
            if (whole != null && whole.reply != null) {
                sink.accept(new RecordedCall(
                        connection,
                        whole.head,
                        whole.body.handOver(),
                        whole.body.length,
                        whole.arrivedNanos,
                        whole.reply,
                        whole.replyBody.handOver(),
                        whole.replyBody.length,
                        Math.max(now, whole.arrivedNanos)));
            }
        }

        @Override
        public void unframed(String reason, int rawLength) {
            gaveUp = true;
        }
    }
}
