package dev.understudy.sidecar.replay;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.content.Sha256;
import dev.understudy.divergence.content.TextSpan;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.noise.NoiseRules;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.sidecar.frame.Dialect;
import dev.understudy.sidecar.frame.ReplyMemory;
import dev.understudy.sidecar.frame.ReplyStream;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.frame.RequestStream;
import io.netty.buffer.ByteBuf;
import java.security.MessageDigest;
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
    private final NoiseRules noise;
    private final Masking masking;
    private final Outcome outcome;
    private final @Nullable ReplayTarget target;
    private final ReplyMemory memory = new ReplyMemory(new MemoryBudget(MEMORY, null));
    private final RequestStream requests;
    private final ReplyStream<Pair> recorded;
    private final ReplyStream<Pair> replayed;
    private final Set<Pair> open = new LinkedHashSet<>();
    private final MessageDigest recordedHash = Sha256.digest();
    private final MessageDigest replayedHash = Sha256.digest();
    private @Nullable String unframed;
    private boolean framed;
    private boolean idle;
    private boolean silent = true;
    private boolean over;
    private boolean targetRecorded;
    private int asked;
    private long received;
    private long passed;
    private long wanted = Long.MAX_VALUE;

    /** @param target the one that is wanted of it; null for all */
    Replies(
            long connection,
            Dialect dialect,
            NoiseRules noise,
            Masking masking,
            Outcome outcome,
            @Nullable ReplayTarget target) {
        this.connection = connection;
        this.target = target;
        this.dialect = dialect;
        this.noise = noise;
        this.masking = masking;
        this.outcome = outcome;
        this.requests = dialect.requests(this);
        this.recorded = dialect.replies(pair -> pair.recorded, new Recorded());
        this.replayed = dialect.replies(pair -> pair.replayed, new Replayed());
    }

    /** Takes ownership of {@code bytes}. */
    synchronized void request(ByteBuf bytes, long nanos) {
        silent = false;
        requests.data(bytes, nanos);
    }

    /** How many of the client's bytes are to be sent in all, as far as that is known by now. */
    synchronized long wanted() {
        return wanted;
    }

    /** Whether the recording has told the whole reply to what is wanted of it. */
    synchronized boolean isTold() {
        return targetRecorded;
    }

    /** What was said up to now isn't what is wanted. */
    synchronized void forget() {
        recordedHash.reset();
        replayedHash.reset();
    }

    /** Takes ownership of {@code bytes}. */
    synchronized void recorded(ByteBuf bytes, long nanos) {
        silent = false;
        recordedHash.update(bytes.nioBuffer());
        recorded.data(bytes, nanos);
    }

    synchronized void recordedEnd(long nanos) {
        recorded.end(nanos);
    }

    /** Takes ownership of {@code bytes}. */
    synchronized void replayed(ByteBuf bytes) {
        silent = false;
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
     * Waits until the new replies have come as far as the recorded ones, which have that many bytes by now, or no more
     * will; false if that takes longer.
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
        return received >= bytes
                || (framed
                        && unframed == null
                        && received > 0
                        && Pair.through(
                                open.stream().filter(pair -> !isBeyond(pair)).toList()));
    }

    /** Nothing follows: judges what is left. */
    synchronized void over() {
        requests.release();
        over = true;
        List.copyOf(open).forEach(pair -> {
            String why = pair.recorded.complete() ? "no whole reply" : "no whole reply was recorded";
            notCompared(pair, pair.cancelled ? "its client gave it up" : why);
        });
        // a connection on which nobody says anything is no reply that is the same
        if (silent || idle || (framed && unframed == null)) {
            return;
        }
        if (target != null && target.framed()) {
            return;
        }
        boolean same = Arrays.equals(recordedHash.digest(), replayedHash.digest());
        if (!framed) {
            rest(same ? VerdictKind.SAME : VerdictKind.DIFFERENT, same ? "" : "the reply's bytes differ");
        } else if (!same) {
            rest(VerdictKind.NOT_COMPARED, "what follows was not compared: " + unframed);
        }
    }

    /** Of what isn't cut into exchanges. */
    private void rest(VerdictKind kind, String why) {
        outcome.judged(new ReplayedExchange(connection, 0, "", kind, why, List.of()));
        if (!why.isEmpty()) {
            outcome.tell("#" + connection + ": " + why);
        }
    }

    @Override
    public Pair request(Request request, ByteBuf bytes, long arrivedNanos, long nanos) {
        int read = bytes.readableBytes();
        bytes.release();
        framed = true;
        idle = false;
        passed += read;
        Pair pair = new Pair(++asked, request, memory);
        open.add(pair);
        recorded.expect(pair, request);
        replayed.expect(pair, request);
        return pair;
    }

    @Override
    public void body(Pair pair, ByteBuf bytes, long nanos) {
        passed += bytes.readableBytes();
        bytes.release();
    }

    /** In HTTP/2 what the client goes on to say may be what the reply waits for. */
    @Override
    public void requestEnd(Pair pair, long nanos) {
        if (isTarget(pair) && pair.request.stream() == 0) {
            wanted = passed;
        }
    }

    private boolean isTarget(Pair pair) {
        return target != null && target.framed() && pair.number == target.number();
    }

    private boolean isBeyond(Pair pair) {
        return target != null && target.framed() && pair.number > target.number();
    }

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
        passed += bytes.readableBytes();
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
        TextSpan times = new TextSpan(now, now);
        Verdict found = dialect.compare(pair.request, pair.recorded, times, pair.replayed, times);
        String request = pair.request.method() + ' ' + pair.request.target(masking);
        Verdict verdict = masking.mask(noise.apply(request, found));
        judged(
                pair,
                ReplayedExchange.compared(connection, pair.number, request, verdict.kind(), verdict.differences()));
        pair.drop();
    }

    /** If one is wanted, what becomes of others is nothing that is judged; of those before it, it is told. */
    private void judged(Pair pair, ReplayedExchange exchange) {
        boolean wantsAll = target == null || !target.framed();
        String what = exchange.finding();
        if (isTarget(pair)) {
            outcome.judged(exchange);
            outcome.tell("#" + connection + " exchange " + pair.number + ", " + exchange.request() + ": "
                    + exchange.kind() + (what.isEmpty() ? "" : ", " + what) + "; status " + pair.recorded.status()
                    + " was recorded, now " + pair.replayed.status());
        } else if (wantsAll) {
            outcome.judged(exchange);
            tell(exchange, what);
        } else if (!isBeyond(pair) && !over) {
            tell(exchange, what.isEmpty() ? "" : what + " (before the one that is wanted)");
        }
    }

    private void notCompared(Pair pair, String why) {
        open.remove(pair);
        String request = pair.request.method() + ' ' + pair.request.target(masking);
        judged(pair, new ReplayedExchange(connection, pair.number, request, VerdictKind.NOT_COMPARED, why, List.of()));
        pair.drop();
    }

    private void tell(ReplayedExchange exchange, String what) {
        if (!what.isEmpty()) {
            outcome.tell("#" + connection + " " + exchange.request() + ": " + what);
        }
    }

    private abstract class Ended implements ReplyStream.End<Pair> {
        @Override
        public void ended(Pair pair) {
            targetRecorded |= isTarget(pair) && pair.recorded.complete();
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
