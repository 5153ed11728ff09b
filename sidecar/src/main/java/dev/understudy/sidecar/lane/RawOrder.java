package dev.understudy.sidecar.lane;

import dev.understudy.sidecar.frame.http.Http2Dialogue;
import dev.understudy.sidecar.order.DebugClock;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * The order within a connection that isn't cut into exchanges, or whose exchanges overlap: what the client said after
 * production had sent it so many bytes, it says to the debug JVM after that has sent as many.
 *
 * <p>So a debug server isn't told the answer to a question that it hasn't asked (PostgreSQL refuses a start-up message
 * that comes before its reply to the request for TLS; MariaDB speaks first). Replies may differ in length: a debug JVM
 * that has answered something and then been quiet for {@value #QUIET_MILLIS} ms is taken to have answered. One that
 * says nothing is waited for with patience on the {@link DebugClock}, and not again until it speaks. What that passes
 * over is forgiven once and for all, and counted.
 *
 * <p>Of HTTP/2 more is known. How many bytes a server says there is chance (its flow control, its pings); but once
 * debug has answered every request that it was told, nothing more is to come, and nobody waits. And where production
 * had answered all when the client spoke on, or left, debug is given as much time for that as any reply has. Confined
 * to its lane loop.
 */
final class RawOrder {
    private static final long QUIET_MILLIS = 200;
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(QUIET_MILLIS);

    private final DebugClock clock;
    private final long patience;
    private final long replyPatience;
    private final Runnable passedOver;
    private final Http2Dialogue http2 = new Http2Dialogue();
    private final Deque<Said> said = new ArrayDeque<>();
    private final Deque<Integer> lengths = new ArrayDeque<>();
    private int told;
    private long production;
    private long debug;
    private long forgiven;
    private boolean answered;
    private long answeredNanos;
    private boolean mute;
    private boolean waiting;
    private long waitingSince;

    /**
     * What the client said, or that it left.
     *
     * @param after bytes that production had sent by then
     * @param owed whether production had answered all HTTP/2 requests by then
     * @param opened the HTTP/2 stream that the client had opened last, once it had said this
     */
    private record Said(long after, boolean owed, int opened) {}

    /**
     * @param patience with a debug JVM that says nothing
     * @param replyPatience with one that is known to owe an answer
     * @param passedOver is run each time when bytes go although the debug JVM has said less
     */
    RawOrder(DebugClock clock, Duration patience, Duration replyPatience, Runnable passedOver) {
        this.clock = clock;
        this.patience = patience.toNanos();
        this.replyPatience = replyPatience.toNanos();
        this.passedOver = passedOver;
    }

    /** The connection begins with something else than bytes that can't be cut. */
    void framed() {
        http2.giveUp();
    }

    /** Production sent {@code data}, which stays as it is. */
    void productionReplied(ByteBuf data) {
        production += data.readableBytes();
        http2.production(data);
    }

    /** Debug sent {@code data}, which stays as it is. */
    void debugReplied(ByteBuf data, long nanos) {
        debug += data.readableBytes();
        http2.debug(data);
        answered = true;
        answeredNanos = nanos;
        mute = false;
    }

    /** Debug says nothing more: nobody waits for it. */
    void debugEnded() {
        forgiven = Long.MAX_VALUE - debug;
    }

    /** The client's next bytes arrived and wait from now on; they stay as they are. */
    void offered(ByteBuf data) {
        boolean owed = http2.productionIsThrough();
        http2.client(data);
        lengths.add(data.readableBytes());
        said.add(new Said(production, owed, http2.lastOpened()));
    }

    /** The client's end arrived and waits from now on. */
    void offered() {
        offered(Unpooled.EMPTY_BUFFER);
    }

    /** Whether the oldest bytes that wait may go at {@code nanos}; with a yes they are gone. */
    boolean admits(long nanos) {
        Said next = said.peek();
        if (next != null && http2.debugIsThrough(told)) {
            forgiven = Math.max(forgiven, next.after - debug);
        } else if (next != null && (next.owed || debug + forgiven < next.after)) {
            if (!overdue(next.owed, nanos)) {
                return false;
            }
            mute = !answered;
            forgiven = Math.max(forgiven, next.after - debug);
            http2.forgive(told);
            passedOver.run();
        }
        waiting = false;
        answered = false;
        if (next != null) {
            told = next.opened;
        }
        said.poll();
        return true;
    }

    /** The oldest bytes that aren't known to have been delivered are; returns how many that was. */
    int delivered() {
        Integer length = lengths.poll();
        return length == null ? 0 : length;
    }

    private boolean overdue(boolean owed, long nanos) {
        long now = clock.read();
        if (!waiting) {
            waiting = true;
            waitingSince = now;
        }
        if (owed) {
            return now - waitingSince > replyPatience;
        }
        boolean quiet = answered && nanos - answeredNanos > QUIET_NANOS;
        return quiet || mute || now - waitingSince > patience;
    }
}
