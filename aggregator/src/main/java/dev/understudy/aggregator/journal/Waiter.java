package dev.understudy.aggregator.journal;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A debug request that came before production's reply was recorded.
 *
 * <p>Handed an exchange from any thread; everything else, and {@code settled}, is confined to the caller's event loop.
 */
final class Waiter<R extends Reply> implements Taking {
    final Form form;

    @Nullable
    Future<?> timeout;

    private final Journal<R> journal;
    private final long sinceNanos;
    private final EventExecutor caller;
    private final Consumer<Match<R>> then;
    private boolean settled;

    Waiter(Journal<R> journal, Form form, long sinceNanos, EventExecutor caller, Consumer<Match<R>> then) {
        this.journal = journal;
        this.form = form;
        this.sinceNanos = sinceNanos;
        this.caller = caller;
        this.then = then;
    }

    void handOver(Recorded<R> exchange) {
        try {
            caller.execute(() -> deliver(exchange));
        } catch (RejectedExecutionException e) {
            journal.giveBack(exchange);
        }
    }

    @Override
    public void cancel() {
        settle();
        journal.withdraw(this);
    }

    void timedOut() {
        if (!settled && journal.withdraw(this)) {
            settle();
            then.accept(journal.missed(form, journal.since(sinceNanos)));
        }
    }

    private void deliver(Recorded<R> exchange) {
        if (settled) {
            journal.giveBack(exchange);
            return;
        }
        settle();
        then.accept(new Match.Hit<>(exchange, journal.since(sinceNanos), false));
    }

    private void settle() {
        settled = true;
        if (timeout != null) {
            timeout.cancel(false);
        }
    }
}
