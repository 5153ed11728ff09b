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
    private boolean reading;
    private boolean ended;

    /**
     * Makes the queue of one connection.
     *
     * @param answer begins to answer a request; {@link #done} is called when its reply is written, at once or later
     */
    public Turns(Channel channel, Consumer<T> answer) {
        this.channel = channel;
        this.answer = answer;
    }

    /** A request has come; what it writes is flushed at {@link #readComplete}. */
    public void add(T request) {
        reading = true;
        queued.add(request);
        next();
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
        channel.config().setAutoRead(queued.size() < MAX_QUEUED && channel.isWritable());
    }

    private void answerWhatIsQueued() {
        while (current == null && !ended) {
            if (!channel.isWritable()) {
                channel.flush();
                return;
            }
            T request = queued.poll();
            if (request == null) {
                return;
            }
            current = request;
            answer.accept(request);
        }
    }
}
