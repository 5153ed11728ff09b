package dev.understudy.sidecar.replay;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Kind;
import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.content.Span;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.sidecar.frame.Dialect;
import dev.understudy.sidecar.frame.ReplyMemory;
import dev.understudy.sidecar.frame.ReplyStream;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.frame.RequestStream;
import io.netty.buffer.ByteBuf;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The recorded and the new replies of one connection: by exchange if they are HTTP's, else by all their bytes.
 *
 * <p>Guarded by {@code this}: the sender tells requests and recorded replies, the reader new ones.
 */
final class Replies implements RequestStream.Cut<Pair> {
    private static final long MEMORY = 64L << 20;

    private final long connection;
    private final Dialect dialect;
    private final Masking masking;
    private final Outcome outcome;
    private final ReplyMemory memory = new ReplyMemory(new MemoryBudget(MEMORY, null));
    private final RequestStream requests;
    private final ReplyStream<Pair> recorded;
    private final ReplyStream<Pair> replayed;
    private final Set<Pair> open = new LinkedHashSet<>();
    private final MessageDigest recordedHash = sha256();
    private final MessageDigest replayedHash = sha256();
    private @Nullable String unframed;
    private boolean framed;
    private boolean idle;
    private long received;

    Replies(long connection, Dialect dialect, Masking masking, Outcome outcome) {
        this.connection = connection;
        this.dialect = dialect;
        this.masking = masking;
        this.outcome = outcome;
        this.requests = dialect.requests(this);
        this.recorded = dialect.replies(pair -> pair.recorded, new Recorded());
        this.replayed = dialect.replies(pair -> pair.replayed, new Replayed());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Takes ownership of {@code bytes}. */
    synchronized void request(ByteBuf bytes, long nanos) {
        requests.data(bytes, nanos);
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

    /**
     * Waits until the new replies have come as far as the recorded ones, which have that many bytes by now, or no more will;
     * false if that takes longer.
     */
    synchronized boolean awaitReceived(long bytes, long patienceMillis) throws InterruptedException {
        long end = System.nanoTime() + patienceMillis * 1_000_000;
        for (long left = patienceMillis; !isThrough(bytes) && left > 0; left = (end - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
        return isThrough(bytes);
    }

    /** Replies may differ in length, and HTTP/2 says more than replies: exchanges count, where there are any. */
    private boolean isThrough(long bytes) {
        return received >= bytes || (framed && unframed == null && received > 0 && Pair.through(open));
    }

    /** Nothing follows: judges what is left. */
    synchronized void over() {
        requests.release();
        List.copyOf(open).forEach(pair -> {
            String why = pair.recorded.complete() ? "no whole reply" : "no whole reply was recorded";
            notCompared(pair, pair.cancelled ? "its client gave it up" : why);
        });
        if (idle || (framed && unframed == null)) {
            return;
        }
        boolean same = Arrays.equals(recordedHash.digest(), replayedHash.digest());
        if (!framed) {
            outcome.judged(same ? Kind.SAME : Kind.DIFFERENT);
            if (!same) {
                outcome.tell("#" + connection + ": the reply's bytes differ");
            }
        } else if (!same) {
            outcome.judged(Kind.NOT_COMPARED);
            outcome.tell("#" + connection + ": what follows was not compared: " + unframed);
        }
    }

    @Override
    public Pair request(Request request, ByteBuf bytes, long arrivedNanos, long nanos) {
        bytes.release();
        framed = true;
        idle = false;
        Pair pair = new Pair(request, memory);
        open.add(pair);
        recorded.expect(pair, request);
        replayed.expect(pair, request);
        return pair;
    }

    @Override
    public void body(Pair pair, ByteBuf bytes, long nanos) {
        bytes.release();
    }

    @Override
    public void requestEnd(Pair pair, long nanos) {}

    @Override
    public void cancelled(int stream, long nanos) {
        open.stream().filter(pair -> pair.request.stream() == stream).forEach(pair -> pair.cancelled = true);
    }

    @Override
    public void unframed(@Nullable Pair unfinished, NotCompared why, String reason, long nanos) {
        left(reason);
    }

    @Override
    public void raw(ByteBuf bytes, long nanos) {
        bytes.release();
        idle = !framed && unframed == null;
    }

    private void left(String reason) {
        if (unframed == null) {
            unframed = reason;
            idle = false;
        }
    }

    private void judge(Pair pair) {
        open.remove(pair);
        Instant now = Instant.now();
        Span times = new Span(now, now);
        Verdict verdict = masking.mask(dialect.compare(pair.request, pair.recorded, times, pair.replayed, times));
        outcome.judged(verdict.kind());
        if (verdict.kind() == Kind.DIFFERENT) {
            String first = verdict.differences().stream()
                    .filter(difference -> difference.noise() == null)
                    .map(Difference::toString)
                    .findFirst()
                    .orElse("");
            tell(pair, first);
        }
        pair.drop();
    }

    private void notCompared(Pair pair, String why) {
        open.remove(pair);
        pair.drop();
        outcome.judged(Kind.NOT_COMPARED);
        tell(pair, why);
    }

    private void tell(Pair pair, String what) {
        String target = pair.request.target(masking);
        outcome.tell("#" + connection + " " + pair.request.method() + " " + target + ": " + what);
    }

    private abstract class Ended implements ReplyStream.End<Pair> {
        @Override
        public void ended(Pair pair) {
            if (pair.recorded.complete() && pair.replayed.complete()) {
                judge(pair);
            }
        }
    }

    private final class Recorded extends Ended {
        @Override
        public void cut(Pair pair, long nanos) {
            notCompared(pair, "no whole reply was recorded");
            replayed.forget(pair.request);
        }

        @Override
        public void unframed(String reason) {
            requests.leave(reason);
            left(reason);
        }
    }

    private final class Replayed extends Ended {
        @Override
        public void cut(Pair pair, long nanos) {
            notCompared(pair, "no whole reply");
            recorded.forget(pair.request);
        }

        @Override
        public void unframed(String reason) {
            left(reason);
        }
    }
}
