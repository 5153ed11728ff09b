package dev.understudy.aggregator.replay;

import dev.understudy.aggregator.exchange.PendingRequest;
import dev.understudy.aggregator.fact.Once;
import dev.understudy.aggregator.match.CallerNews;
import dev.understudy.aggregator.match.CallerNotes;
import dev.understudy.aggregator.match.TraceId;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.EventExecutor;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds out for which exchange a debug connection asks, and waits a little for the agent's word where it matters.
 *
 * <p>At most {@value #MOST} requests wait, each for at most {@link #PATIENCE}. Safe for all threads.
 */
public final class CallerLookup {
    static final int MOST = 10_000;
    static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(50);

    private final CallerNotes callers;
    private final Set<Question> open = ConcurrentHashMap.newKeySet();

    public CallerLookup(CallerNotes callers) {
        this.callers = callers;
    }

    /** The agent has told something. */
    public void told(CallerNews news) {
        callers.told(news);
        open.forEach(Question::again);
    }

    /** Requests that wait for the agent's word. */
    int waiting() {
        return open.size();
    }

    /** A connection that was opened just now, by its own port at the debug JVM and the one that it was opened to. */
    Connection between(int port, int to) {
        return new Connection(port, to);
    }

    /** One debug connection, which sees when it is answered. Confined to its event loop. */
    final class Connection extends ChannelOutboundHandlerAdapter {
        private final int port;
        private final int to;
        private final long opened = System.nanoTime();
        private long answered = Long.MIN_VALUE;

        /** Whether the agent seems not to tell of it, so that waiting for its word is no use. */
        private boolean untold;

        Connection(int port, int to) {
            this.port = port;
            this.to = to;
        }

        @Override
        public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
            answered = System.nanoTime();
            ctx.write(message, promise);
        }

        /**
         * Tells {@code then} once, on the event loop, in which trace the debug JVM was told the exchange that the
         * request is for, which has just come; null if that isn't known.
         *
         * @param wanted whether it is worth waiting for
         */
        PendingRequest whose(EventExecutor loop, BooleanSupplier wanted, Consumer<@Nullable TraceId> then) {
            long asked = System.nanoTime();
            CallerNotes.Said said = callers.of(port, to, opened, answered, asked);
            if (said.settled() || untold || open.size() >= MOST || !wanted.getAsBoolean()) {
                untold &= !said.noted();
                then.accept(said.settled() ? said.trace() : null);
                return () -> {};
            }
            Question question = new Question(this, loop, asked, then);
            question.await();
            return question;
        }
    }

    /** A request that waits. */
    private final class Question implements PendingRequest {
        private final Connection connection;
        private final EventExecutor loop;
        private final long asked;
        private final Consumer<@Nullable TraceId> then;
        private @Nullable Once end;

        /** Set on the event loop. */
        private boolean over;

        Question(Connection connection, EventExecutor loop, long asked, Consumer<@Nullable TraceId> then) {
            this.connection = connection;
            this.loop = loop;
            this.asked = asked;
            this.then = then;
        }

        void await() {
            end = Once.within(loop, PATIENCE, () -> look(true));
            open.add(this);
            again();
        }

        /** From any thread. */
        void again() {
            if (!loop.isShuttingDown()) {
                loop.execute(() -> look(false));
            }
        }

        private void look(boolean last) {
            if (over) {
                return;
            }
            CallerNotes.Said said =
                    callers.of(connection.port, connection.to, connection.opened, connection.answered, asked);
            if (said.settled() || last) {
                cancel();
                connection.untold = !said.noted();
                then.accept(said.trace());
            }
        }

        @Override
        public void cancel() {
            over = true;
            open.remove(this);
            if (end != null) {
                end.cancel();
            }
        }
    }
}
