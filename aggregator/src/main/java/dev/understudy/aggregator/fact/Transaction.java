package dev.understudy.aggregator.fact;

import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.match.ReplyGroup;
import dev.understudy.divergence.content.ValueWords;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One of production's transactions, and how it ended: what was read in it may be given to the debug JVM before that is
 * known.
 *
 * <p>Safe for all threads: guarded by {@code this}; callbacks run on their callers' executors.
 *
 * @param <E> an error in the protocol's words
 */
public class Transaction<E> implements ReplyGroup {
    private List<Runnable> waiting = List.of();
    private boolean block;
    private Outcome outcome = Outcome.OPEN;
    private @Nullable E error;
    private long startNanos = Long.MAX_VALUE;
    private long endNanos = Long.MIN_VALUE;
    private int replies;
    private int worded;
    private long said;
    private boolean given;
    private @Nullable ValueWords words;

    /** How a transaction ended. */
    public enum Outcome {
        OPEN,
        COMMITTED,
        ROLLED_BACK,
        /** The commit itself was refused, for instance by a deferred constraint. */
        COMMIT_FAILED,
        /** The connection ended before it was known. */
        LOST
    }

    /** The client has begun it itself, so that it lasts until the client ends it. */
    public synchronized void becomesBlock() {
        block = true;
    }

    /** Whether the client began and ended it itself. */
    public synchronized boolean block() {
        return block;
    }

    public synchronized Outcome outcome() {
        return outcome;
    }

    @Override
    public synchronized void recorded(long start, long end, long what) {
        replies++;
        said = 31 * said + what;
        startNanos = Math.min(startNanos, start);
        endNanos = Math.max(endNanos, end);
    }

    @Override
    public synchronized void recorded(ValueWords ofOne) {
        ValueWords all = words == null ? new ValueWords() : words;
        all.add(ofOne);
        words = all;
        worded++;
    }

    @Override
    public synchronized void addTo(ValueWords others) {
        if (words == null || worded < replies) {
            others.fill();
        } else {
            others.add(words);
        }
    }

    @Override
    public synchronized long said() {
        return said;
    }

    @Override
    public synchronized long startNanos() {
        return startNanos;
    }

    @Override
    public synchronized long endNanos() {
        return endNanos;
    }

    @Override
    public synchronized boolean isOver() {
        return outcome != Outcome.OPEN;
    }

    @Override
    public synchronized void given() {
        given = true;
    }

    @Override
    public synchronized boolean isGiven() {
        return given;
    }

    /** What the server said to a refused commit; null otherwise. */
    public synchronized @Nullable E error() {
        return error;
    }

    /** Sets the outcome; the first one stays. */
    public void end(Outcome how, @Nullable E why) {
        List<Runnable> told;
        synchronized (this) {
            if (outcome != Outcome.OPEN) {
                return;
            }
            outcome = how;
            error = why;
            told = waiting;
            waiting = List.of();
        }
        told.forEach(Runnable::run);
    }

    /** Calls back once the outcome is known, or the time is up, on {@code caller}; returns what takes that back. */
    public PendingRequest whenEnded(EventExecutor caller, long waitNanos, Runnable then) {
        synchronized (this) {
            if (outcome == Outcome.OPEN && waitNanos > 0) {
                waiting = waiting.isEmpty() ? new ArrayList<>(1) : waiting;
                Once once = Once.within(caller, waitNanos, then);
                waiting.add(once);
                return () -> leave(once);
            }
        }
        then.run();
        return () -> {};
    }

    private void leave(Once once) {
        once.cancel();
        synchronized (this) {
            if (!waiting.isEmpty()) {
                waiting.remove(once);
            }
        }
    }
}
