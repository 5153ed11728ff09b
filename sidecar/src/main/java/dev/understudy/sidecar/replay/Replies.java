package dev.understudy.sidecar.replay;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Kind;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.http.HttpComparison;
import dev.understudy.divergence.compare.http.HttpReply;
import dev.understudy.divergence.content.Span;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.wire.http.HttpRequestFramer;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.RequestHead;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.sidecar.frame.ReplyMemory;
import dev.understudy.sidecar.frame.ReplyStream;
import dev.understudy.sidecar.frame.http.HttpReplyCopy;
import dev.understudy.sidecar.frame.http.HttpReplyStream;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * The recorded and the new replies of one connection: by exchange if they are HTTP's, else by all their bytes.
 *
 * <p>Guarded by {@code this}: the sender tells requests and recorded replies, the reader new ones.
 */
final class Replies implements HttpSink<RequestHead> {
    private static final long MEMORY = 64L << 20;
    private static final int LARGEST_BODY = 4 << 20;

    private final long connection;
    private final HttpComparison comparison;
    private final Masking masking;
    private final Outcome outcome;
    private final ReplyMemory memory = new ReplyMemory(new MemoryBudget(MEMORY, null));
    private final HttpRequestFramer requests = new HttpRequestFramer(this);
    private final HttpReplyStream<Pair> recorded = new HttpReplyStream<>(pair -> pair.recorded, new Ended());
    private final HttpReplyStream<Pair> replayed = new HttpReplyStream<>(pair -> pair.replayed, new Ended());
    private final Deque<Pair> open = new ArrayDeque<>();
    private final MessageDigest recordedHash = sha256();
    private final MessageDigest replayedHash = sha256();
    private boolean framed;
    private long received;

    Replies(long connection, HttpComparison comparison, Masking masking, Outcome outcome) {
        this.connection = connection;
        this.comparison = comparison;
        this.masking = masking;
        this.outcome = outcome;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    synchronized void request(ByteBuffer bytes) {
        requests.feed(bytes);
    }

    /** Takes ownership of {@code bytes}. */
    synchronized void recorded(ByteBuf bytes, long nanos) {
        recordedHash.update(bytes.nioBuffer());
        recorded.data(bytes, nanos);
    }

    synchronized void recordedEnd(long nanos) {
        recorded.end(nanos);
    }

    /** Takes ownership of {@code bytes}. */
    synchronized void replayed(ByteBuf bytes) {
        received += bytes.readableBytes();
        replayedHash.update(bytes.nioBuffer());
        replayed.data(bytes, System.nanoTime());
        notifyAll();
    }

    synchronized void replayedEnd() {
        replayed.end(System.nanoTime());
        received = Long.MAX_VALUE;
        notifyAll();
    }

    /** Waits until that many bytes of replies have come, or no more will; false if that takes longer. */
    synchronized boolean awaitReceived(long bytes, long patienceMillis) throws InterruptedException {
        long end = System.nanoTime() + patienceMillis * 1_000_000;
        for (long left = patienceMillis; received < bytes && left > 0; left = (end - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
        return received >= bytes;
    }

    /** Nothing follows: judges what is left. */
    synchronized void over() {
        for (Pair pair = open.poll(); pair != null; pair = open.poll()) {
            pair.drop();
            outcome.judged(Kind.NOT_COMPARED);
            outcome.tell("#" + connection + " " + pair.what + ": "
                    + (pair.recorded.complete() ? "no whole reply" : "no whole reply was recorded"));
        }
        if (!framed) {
            boolean same = Arrays.equals(recordedHash.digest(), replayedHash.digest());
            outcome.judged(same ? Kind.SAME : Kind.DIFFERENT);
            if (!same) {
                outcome.tell("#" + connection + ": the reply's bytes differ");
            }
        }
    }

    @Override
    public void head(RequestHead head, int rawLength) {
        framed = true;
        Pair pair = new Pair(head.method() + " " + masking.target(head.target()), memory);
        open.add(pair);
        recorded.expect(pair, head.method());
        replayed.expect(pair, head.method());
    }

    @Override
    public void body(ByteBuffer content, int rawLength) {}

    @Override
    public void end() {}

    @Override
    public void unframed(String reason, int rawLength) {}

    private void judge(Pair pair) {
        open.remove(pair);
        Instant now = Instant.now();
        Span times = new Span(now, now);
        HttpReply before = pair.recorded.finish(times);
        HttpReply after = pair.replayed.finish(times);
        if (before == null || after == null) {
            outcome.judged(Kind.NOT_COMPARED);
        } else {
            Verdict verdict = masking.mask(comparison.compare(before, after));
            outcome.judged(verdict.kind());
            if (verdict.kind() == Kind.DIFFERENT) {
                String first = verdict.differences().stream()
                        .filter(difference -> difference.noise() == null)
                        .map(Difference::toString)
                        .findFirst()
                        .orElse("");
                outcome.tell("#" + connection + " " + pair.what + ": " + first);
            }
        }
        pair.drop();
    }

    /** One request's two replies. */
    private static final class Pair {
        private final String what;
        private final HttpReplyCopy recorded;
        private final HttpReplyCopy replayed;

        Pair(String what, ReplyMemory memory) {
            this.what = what;
            this.recorded = new HttpReplyCopy(memory, LARGEST_BODY);
            this.replayed = new HttpReplyCopy(memory, LARGEST_BODY);
        }

        void drop() {
            recorded.drop();
            replayed.drop();
        }
    }

    private final class Ended implements ReplyStream.End<Pair> {
        @Override
        public void ended(Pair pair) {
            if (pair.recorded.complete() && pair.replayed.complete()) {
                judge(pair);
            }
        }

        @Override
        public void unframed(String reason) {}
    }
}
