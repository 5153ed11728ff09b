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
public final class ReplayTurns<T> {
    private static final int MAX_QUEUED = 256;
    private static final long MAX_QUEUED_BYTES = 1 << 20;

    /** Memory of a request besides its bytes: its place in the queue, and what waits for its answer. */
    private static final long PER_TURN = 256;

    private final Channel channel;
    private final Consumer<T> answer;
    private final ArrayDeque<Turn<T>> queued = new ArrayDeque<>();
    private long queuedBytes;
    private @Nullable T current;
    private long currentBytes;
    private boolean answering;
    private boolean reading;
    private boolean ended;

    /**
     * Makes the queue of one connection.
     *
     * @param answer begins to answer a request; {@link #done} is called when its reply is written, at once or later
     */
    public ReplayTurns(Channel channel, Consumer<T> answer) {
        this.channel = channel;
        this.answer = answer;
    }

    /** A small request has come; what it writes is flushed at {@link #readComplete}. */
    public void add(T request) {
        add(request, 0);
    }

    /** A request has come that holds so many bytes; what it writes is flushed at {@link #readComplete}. */
    public void add(T request, long bytes) {
        if (ended) {
            return;
        }
        reading = true;
        queued.add(new Turn<>(request, bytes));
        queuedBytes += bytes;
        next();
    }

    /** Memory that the requests take that aren't answered, that which is being answered included. */
    public long heldBytes() {
        return queuedBytes + PER_TURN * queued.size() + (current == null ? 0 : currentBytes + PER_TURN);
    }

    /** The channel has nothing more to read at the moment. */
    public void readComplete() {
        reading = false;
        next();
    }

    /** The current request is answered: its reply is written. */
    public void done() {
        current = null;
        next();
    }

    /** The channel became writable, or ceased to be. */
    public void writabilityChanged() {
        next();
    }

    /** Nothing more is answered. */
    public void end() {
        ended = true;
        queued.clear();
        queuedBytes = 0;
        current = null;
    }

    private void next() {
        if (answering || ended) {
            return; // when answering, the loop below goes on, instead of one more frame on the stack per request
        }
        answering = true;
        try {
            answerWhatIsQueued();
        } finally {
            answering = false;
        }
        if (!reading) {
            channel.flush();
        }
        boolean full = queued.size() >= MAX_QUEUED || queuedBytes >= MAX_QUEUED_BYTES;
        boolean wanted = !full && channel.isWritable();
        if (channel.config().isAutoRead() != wanted) {
            channel.config().setAutoRead(wanted);
        }
    }

    private void answerWhatIsQueued() {
        while (current == null && !ended) {
            if (!channel.isWritable()) {
                channel.flush();
                return;
            }
            Turn<T> turn = queued.poll();
            if (turn == null) {
                return;
            }
            queuedBytes -= turn.bytes;
            current = turn.request;
            currentBytes = turn.bytes;
            answer.accept(turn.request);
        }
    }

    private record Turn<T>(T request, long bytes) {}
}
