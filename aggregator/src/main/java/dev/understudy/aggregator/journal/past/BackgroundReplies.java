package dev.understudy.aggregator.journal.past;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.exchange.RecordedReply;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The last replies to calls that have no twin, for as many calls of debug as ask for them; bounded by bytes, and a call
 * that comes before the first one waits. Safe for all threads: guarded by {@code this}, and no callback runs under the
 * lock.
 */
public final class BackgroundReplies<R extends RecordedReply> {
    private final LastReplies<R> last;
    private final Map<Form, List<Waiting<R>>> waiting = new HashMap<>();
    private long recorded;

    /** Remembers nothing yet, and never more than so many bytes. */
    public BackgroundReplies(long capacity) {
        last = new LastReplies<>(capacity);
    }

    /**
     * Production made such a call.
     *
     * @param key calls with equal keys may be given each other's reply
     */
    public void add(Form key, long connection, long startNanos, long endNanos, R reply) {
        Recorded<R> exchange;
        List<Waiting<R>> ready;
        synchronized (this) {
            exchange = new Recorded<>(++recorded, key.asRepeatable(), connection, startNanos, endNanos, reply);
            last.remember(exchange);
            ready = waiting.getOrDefault(key, List.of());
            waiting.remove(key);
        }
        ready.forEach(one -> one.handOver(exchange));
    }

    /**
     * Asks for the last reply.
     *
     * @param waitNanos how long to wait for the first one; 0 for an answer at once
     * @param caller where {@code then} runs; this call must be made there
     * @param then is told the reply exactly once, or null if there is none in time; never after a cancel
     */
    public PendingRequest take(Form key, long waitNanos, EventExecutor caller, Consumer<@Nullable Recorded<R>> then) {
        Recorded<R> known;
        Waiting<R> one = new Waiting<>(caller, then);
        synchronized (this) {
            known = last.of(key);
            if (known == null && waitNanos > 0) {
                waiting.computeIfAbsent(key, any -> new ArrayList<>(1)).add(one);
                one.timeout = caller.schedule(() -> timedOut(key, one), waitNanos, TimeUnit.NANOSECONDS);
                return () -> {
                    one.settled = true;
                    withdraw(key, one);
                };
            }
        }
        one.settle(known);
        return () -> {};
    }

    private void timedOut(Form key, Waiting<R> one) {
        withdraw(key, one);
        one.settle(null);
    }

    private synchronized void withdraw(Form key, Waiting<R> one) {
        List<Waiting<R>> others = waiting.get(key);
        if (others != null && others.remove(one) && others.isEmpty()) {
            waiting.remove(key);
        }
    }

    /** Settled on its caller's event loop. */
    private static final class Waiting<R extends RecordedReply> {
        private final EventExecutor caller;
        private final Consumer<@Nullable Recorded<R>> then;
        private @Nullable Future<?> timeout;
        private boolean settled;

        Waiting(EventExecutor caller, Consumer<@Nullable Recorded<R>> then) {
            this.caller = caller;
            this.then = then;
        }

        void handOver(Recorded<R> exchange) {
            try {
                caller.execute(() -> settle(exchange));
            } catch (RejectedExecutionException stopped) {
                settled = true;
            }
        }

        void settle(@Nullable Recorded<R> exchange) {
            if (settled) {
                return;
            }
            settled = true;
            if (timeout != null) {
                timeout.cancel(false);
            }
            then.accept(exchange);
        }
    }
}
