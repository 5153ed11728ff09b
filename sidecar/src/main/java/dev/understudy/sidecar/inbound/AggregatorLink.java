package dev.understudy.sidecar.inbound;

import dev.understudy.relay.control.ClockId;
import dev.understudy.sidecar.verdict.Outgoing;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jctools.queues.MpscArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the aggregator what is being served, at once and in order: one message at a time, with all that has come
 * meanwhile.
 *
 * <p>Lane loops put what they tell into a queue of {@link #ROOM}; when it is full, that is dropped and counted. One
 * thread of its own empties it. A message that isn't taken is dropped, and the next is tried a second later. When
 * nothing happens messages without news say so, for calls wait in the aggregator until they know: the first after
 * {@link #FIRST_PULSE}, each further one after twice as long, up to {@link #PULSE}.
 */
public final class AggregatorLink implements InboundSink, AutoCloseable {
    /** Things told that may wait. */
    static final int ROOM = 16_384;

    private static final Logger LOG = LoggerFactory.getLogger(AggregatorLink.class);
    private static final int MOST_AT_ONCE = 512;
    private static final long FIRST_PULSE = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long PULSE = TimeUnit.SECONDS.toNanos(1);
    private static final int MOST_RERUNS = 64;
    private static final int MOST_KEPT = 4_096;
    private static final long RERUN_SECONDS = 2;
    /** Its calls that name no trace wait for the next message. */
    private static final long RERUN_PULSE = TimeUnit.MILLISECONDS.toNanos(8);

    private static final long LONGEST_RERUN = TimeUnit.MINUTES.toNanos(1);

    private final LinkClient client;
    private final LongSupplier waited;
    private final Consumer<Outgoing> compared;
    private final String run = UUID.randomUUID().toString();
    private final String clock = ClockId.read();
    private final MpscArrayQueue<InboundState> queue = new MpscArrayQueue<>(ROOM);
    private final MpscArrayQueue<Long> kept = new MpscArrayQueue<>(MOST_KEPT);
    private final Queue<Rerun> reruns = new ArrayBlockingQueue<>(MOST_RERUNS);
    private final LongAdder told = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final Thread thread;
    private volatile boolean parked;
    private volatile boolean closed;
    private volatile boolean up;
    private volatile boolean values;
    private LinkState state = LinkState.STARTING;
    private long roundTrip;
    private long toldUntil;

    /** Until when one may be under way; 0 if none is. */
    private long rerunUntil;

    private volatile long lostAt = System.nanoTime() - LONGEST_RERUN;

    /**
     * Begins to tell.
     *
     * @param waited for how many nanoseconds something has waited that isn't cut into exchanges yet; 0 if nothing has
     * @param compared is told how the upstream calls of exchanges compare, on the link's own thread
     */
    public AggregatorLink(LinkClient client, LongSupplier waited, Consumer<Outgoing> compared) {
        this.client = client;
        this.waited = waited;
        this.compared = compared;
        this.thread = new Thread(this::run, "understudy-aggregator-link");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void told(InboundState state) {
        if (!queue.offer(state)) {
            dropped.increment();
            lostAt = System.nanoTime();
        } else if (parked) {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public boolean wantsValues() {
        return values;
    }

    /**
     * One that is to be told.
     *
     * @param over whether it has happened already
     * @param known says whether the aggregator took it
     */
    record Rerun(String trace, long exchange, boolean alone, boolean over, CompletableFuture<Boolean> known) {}

    /**
     * As {@link RerunNotice#give}.
     *
     * @param alone whether all else that the debug JVM serves is told, so that it is known when it serves nothing else
     */
    public CompletableFuture<Boolean> give(String trace, long exchange, boolean alone) {
        return tell(new Rerun(trace, exchange, alone, false, new CompletableFuture<>()))
                .completeOnTimeout(false, RERUN_SECONDS, TimeUnit.SECONDS);
    }

    /** As {@link RerunNotice#over}. */
    public void over(String trace, long exchange) {
        var unused = tell(new Rerun(trace, exchange, false, true, new CompletableFuture<>()));
    }

    private CompletableFuture<Boolean> tell(Rerun rerun) {
        if (!(up || rerun.over()) || !reruns.offer(rerun)) {
            return CompletableFuture.completedFuture(false);
        }
        if (parked) {
            LockSupport.unpark(thread);
        }
        return rerun.known();
    }

    /** It goes with the next message; more than one may tell of are left out. */
    @Override
    public void keep(long exchange) {
        kept.offer(exchange);
    }

    /** Things told that the aggregator took. */
    public long told() {
        return told.sum();
    }

    /** Things told that found no room, or weren't taken. */
    public long dropped() {
        return dropped.sum();
    }

    /** Whether the aggregator took all that was told within the last minute. */
    public boolean isComplete() {
        return System.nanoTime() - lostAt >= LONGEST_RERUN;
    }

    /** Whether the aggregator took the last message. */
    public boolean up() {
        return up;
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }

    private void run() {
        List<InboundState> batch = new ArrayList<>(MOST_AT_ONCE);
        long pulse = FIRST_PULSE;
        while (!closed) {
            batch.clear();
            long before = System.nanoTime();
            if (queue.drain(batch::add, MOST_AT_ONCE) < MOST_AT_ONCE) {
                toldUntil = before;
            }
            if (batch.isEmpty() && up && !silent(pulse)) {
                continue;
            }
            pulse = batch.isEmpty() ? Math.min(2 * pulse, rerunUntil == 0 ? PULSE : RERUN_PULSE) : FIRST_PULSE;
            boolean taken = send(batch);
            (taken ? told : dropped).add(batch.size());
            if (!taken) {
                lostAt = batch.isEmpty() ? lostAt : System.nanoTime();
                client.refresh();
                LockSupport.parkNanos(PULSE);
            }
        }
    }

    /** Waits for something to be told; whether so many nanoseconds went by without. */
    private boolean silent(long nanos) {
        long due = System.nanoTime() + nanos;
        parked = true;
        for (long left = nanos; isQuiet() && left > 0 && !closed; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        parked = false;
        long looked = System.nanoTime();
        boolean silent = queue.isEmpty();
        toldUntil = silent ? looked : toldUntil;
        return silent;
    }

    private boolean isQuiet() {
        return queue.isEmpty() && reruns.isEmpty();
    }

    private boolean send(List<InboundState> batch) {
        List<Rerun> again = new ArrayList<>();
        for (int n = 0; n < MOST_RERUNS && !reruns.isEmpty(); n++) {
            again.add(reruns.remove());
        }
        List<Long> wanted = new ArrayList<>();
        kept.drain(wanted::add, MOST_KEPT);
        boolean taken = send(batch, again, wanted);
        long now = System.nanoTime();
        rerunUntil = rerunUntil != 0 && now - rerunUntil > 0 ? 0 : rerunUntil;
        for (Rerun one : again) {
            rerunUntil = one.over() ? 0 : now + LONGEST_RERUN;
            one.known().complete(taken);
            if (one.over() && !taken) {
                reruns.offer(one); // else it would be held to go on
            }
        }
        return taken;
    }

    private boolean send(List<InboundState> batch, List<Rerun> again, List<Long> wanted) {
        long sent = System.nanoTime();
        try {
            byte[] body = InboundNewsWriter.write(
                    run, clock, sent, roundTrip, toldUntil, sent - waited.getAsLong(), batch, again, wanted);
            HttpResponse<byte[]> reply = client.post("/v1/inbound", body);
            learn(System.nanoTime() - sent);
            if (reply.statusCode() == 200) {
                OutgoingNews news = OutgoingNews.read(reply.body());
                values = news.wantsValues();
                news.outgoing().forEach(compared);
            }
            boolean taken = reply.statusCode() == 200;
            return said(taken ? LinkState.UP : LinkState.REFUSED, "status " + reply.statusCode());
        } catch (IOException unreachable) {
            return said(state.unreachable(), LinkState.words(unreachable));
        } catch (InterruptedException end) {
            closed = true;
            return false;
        } catch (RuntimeException | Error defect) {
            return said(LinkState.REFUSED, defect.toString());
        }
    }

    /** The shortest lately; it is forgotten by and by, should the way become a longer one. */
    private void learn(long took) {
        roundTrip = roundTrip == 0 ? took : Math.min(took, roundTrip + roundTrip / 64);
    }

    private boolean said(LinkState now, String why) {
        if (state != now) {
            LOG.atLevel(now.level()).log(now.words(client.url(), why));
        }
        state = now;
        up = now == LinkState.UP;
        return up;
    }
}
