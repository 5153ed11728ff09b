package dev.understudy.aggregator.journal;

import dev.understudy.aggregator.exchange.Eviction;
import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.match.UpstreamCall;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A debug request whose reply isn't recorded yet, or for which something better may come in a moment.
 *
 * <p>Handed an exchange from any thread; everything else, and {@code settled}, is confined to the caller's event loop,
 * but for {@code againAt} and {@code held}, which the journal guards.
 */
final class Waiter<R extends RecordedReply> implements PendingRequest {
    /** Seconds that the disk has. */
    private static final long READING = 10;

    final Form form;
    final UpstreamCall call;

    /** When the next look is due. */
    long againAt = Long.MAX_VALUE;

    /** Whether it has waited beyond its time. */
    boolean held;

    @Nullable
    Future<?> timeout;

    private final Journal<R> journal;
    private final long waitNanos;
    private final EventExecutor caller;
    private final Consumer<Match<R>> then;
    private boolean settled;
    private boolean reading;

    Waiter(
            Journal<R> journal,
            Form form,
            UpstreamCall call,
            long waitNanos,
            EventExecutor caller,
            Consumer<Match<R>> then) {
        this.journal = journal;
        this.waitNanos = waitNanos;
        this.form = form;
        this.call = call;
        this.caller = caller;
        this.then = then;
    }

    void handOver(Recorded<R> exchange, Reason reason) {
        try {
            caller.execute(() -> deliver(exchange, reason));
        } catch (RejectedExecutionException e) {
            journal.giveBack(exchange);
        }
    }

    /** It was withdrawn, and gets this. From any thread. */
    void answer(Match<R> match) {
        try {
            caller.execute(() -> {
                if (!settled) {
                    finish(match);
                }
            });
        } catch (RejectedExecutionException stopped) {
            againAt = Long.MAX_VALUE;
        }
    }

    /** Has the journal look again in so many nanoseconds. */
    void lookAgain(long inNanos) {
        try {
            caller.schedule(() -> journal.lookAgain(this), inNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException stopped) {
            againAt = Long.MAX_VALUE;
        }
    }

    @Override
    public void cancel() {
        settle();
        journal.withdraw(this);
    }

    /** Begins the wait. On the caller's event loop. */
    void startTimer() {
        timeout = caller.schedule(this::timedOut, waitNanos, TimeUnit.NANOSECONDS);
    }

    /** Production's calls that it waited for beyond its time are over. From any thread. */
    void waitAgain() {
        try {
            caller.execute(() -> {
                if (!settled && !reading) {
                    startTimer();
                }
            });
        } catch (RejectedExecutionException stopped) {
            againAt = Long.MAX_VALUE;
        }
    }

    private void timedOut() {
        if (!settled && !journal.isHeld(this) && journal.withdraw(this)) {
            journal.lastLook(this);
        }
    }

    /** Its reply is to be read from disk, which isn't waited for without end. From any thread. */
    void reading() {
        try {
            caller.execute(() -> {
                if (!settled) {
                    reading = true;
                    stopTimer();
                    timeout = caller.schedule(
                            () -> lost("the disk didn't give the recorded reply back within %d s".formatted(READING)),
                            READING,
                            TimeUnit.SECONDS);
                }
            });
        } catch (RejectedExecutionException stopped) {
            againAt = Long.MAX_VALUE;
        }
    }

    /** Its reply couldn't be read back. From any thread. */
    void unreadable(Form recorded, Eviction reason) {
        journal.damaged(recorded, reason);
        try {
            caller.execute(() -> lost("the recorded reply can't be read back from disk: it is damaged or gone"));
        } catch (RejectedExecutionException stopped) {
            againAt = Long.MAX_VALUE;
        }
    }

    private void lost(String why) {
        if (!settled) {
            finish(new Match.Miss<>(form, why, List.of(), journal.since(call.nanos())));
        }
    }

    /** It gets what was chosen for it, or this, or goes on waiting for neither. On the caller's event loop. */
    void gets(@Nullable ReplyDelivery<R> handover, long waitedNanos, @Nullable Match<R> other) {
        if (handover != null) {
            handover.here(waitedNanos);
        } else if (other != null) {
            finish(other);
        }
    }

    /** On the caller's event loop, where it isn't settled. */
    void finish(Match<R> match) {
        settle();
        then.accept(match);
    }

    private void deliver(Recorded<R> exchange, Reason reason) {
        if (settled) {
            journal.giveBack(exchange);
            return;
        }
        finish(new Match.Hit<>(exchange, journal.since(call.nanos()), false, reason));
    }

    private void settle() {
        settled = true;
        stopTimer();
    }

    private void stopTimer() {
        if (timeout != null) {
            timeout.cancel(false);
        }
    }
}
