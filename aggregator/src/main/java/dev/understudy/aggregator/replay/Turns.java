package dev.understudy.aggregator.replay;

import io.netty.channel.Channel;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers the requests of one debug connection one after another, in the order they came.
 *
 * <p>While many requests wait, or the debug JVM doesn't read its replies, nothing more is read from it: what a
 * connection can make us hold is bounded. Confined to the connection's event loop.
 */
public final class Turns<T> {
    private static final int MAX_QUEUED = 256;

    private final Channel channel;
    private final Consumer<T> answer;
    private final ArrayDeque<T> queued = new ArrayDeque<>();
    private @Nullable T current;
    private boolean answering;

    /**
     * Makes the queue of one connection.
     *
     * @param answer begins to answer a request; {@link #done} is called when that has happened, during it or later
     */
    public Turns(Channel channel, Consumer<T> answer) {
        this.channel = channel;
        this.answer = answer;
    }

    /** A request has come. */
    public void add(T request) {
        queued.add(request);
        next();
    }

    /** The current request is answered: its reply is written. */
    public void done() {
        current = null;
        next();
    }

    /** Whether a request is being answered or waits. */
    public boolean busy() {
        return current != null || !queued.isEmpty();
    }

    /** To be called when the channel's writability has changed. */
    public void writabilityChanged() {
        next();
    }

    /** Forgets what is queued; the current request is not answered either, if it isn't yet. */
    public void clear() {
        queued.clear();
    }

    private void next() {
        if (answering) {
            return; // the loop below goes on, instead of one more frame on the stack per request
        }
        answering = true;
        try {
            while (current == null && channel.isWritable()) {
                T request = queued.poll();
                if (request == null) {
                    break;
                }
                current = request;
                answer.accept(request);
            }
        } finally {
            answering = false;
        }
        channel.flush();
        channel.config().setAutoRead(queued.size() < MAX_QUEUED && channel.isWritable());
    }
}
