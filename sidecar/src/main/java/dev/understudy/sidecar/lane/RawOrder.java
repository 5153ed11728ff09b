package dev.understudy.sidecar.lane;

import dev.understudy.sidecar.order.DebugClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * The order within a connection that isn't cut into exchanges: what the client said after production had sent it so many
 * bytes, it says to the debug JVM after that has sent as many.
 *
 * <p>So a debug server isn't told the answer to a question that it hasn't asked (PostgreSQL refuses a start-up message that
 * comes before its reply to the request for TLS; MariaDB speaks first). Replies may differ in length: a debug JVM that has
 * answered something and then been quiet for {@value #QUIET_MILLIS} ms is taken to have answered. One that says nothing is
 * waited for with patience on the {@link DebugClock}, and not again until it speaks. What that passes over is forgiven
 * once and for all, and counted. Confined to its lane loop.
 */
final class RawOrder {
    private static final long QUIET_MILLIS = 200;
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(QUIET_MILLIS);

    private final DebugClock clock;
    private final long patience;
    private final Runnable passedOver;
    private final Deque<Long> saidBefore = new ArrayDeque<>();
    private long production;
    private long debug;
    private long forgiven;
    private boolean answered;
    private long answeredNanos;
    private boolean mute;
    private boolean waiting;
    private long waitingSince;

    /** @param passedOver is run each time when bytes go although the debug JVM has said less */
    RawOrder(DebugClock clock, Duration patience, Runnable passedOver) {
        this.clock = clock;
        this.patience = patience.toNanos();
        this.passedOver = passedOver;
    }

    /** Production sent {@code length} bytes. */
    void productionReplied(int length) {
        production += length;
    }

    /** Debug sent {@code length} bytes. */
    void debugReplied(int length, long nanos) {
        debug += length;
        answered = true;
        answeredNanos = nanos;
        mute = false;
    }

    /** Debug says nothing more: nobody waits for it. */
    void debugEnded() {
        forgiven = Long.MAX_VALUE - debug;
    }

    /** The client's next bytes arrived and wait from now on. */
    void offered() {
        saidBefore.add(production);
    }

    /** Whether the oldest bytes that wait may go at {@code nanos}; with a yes they are gone. */
    boolean admits(long nanos) {
        Long needed = saidBefore.peek();
        if (needed != null && debug + forgiven < needed) {
            if (!overdue(nanos)) {
                return false;
            }
            mute = !answered;
            forgiven = needed - debug;
            passedOver.run();
        }
        waiting = false;
        answered = false;
        saidBefore.poll();
        return true;
    }

    private boolean overdue(long nanos) {
        long now = clock.read();
        if (!waiting) {
            waiting = true;
            waitingSince = now;
        }
        boolean quiet = answered && nanos - answeredNanos > QUIET_NANOS;
        return quiet || mute || now - waitingSince > patience;
    }
}
