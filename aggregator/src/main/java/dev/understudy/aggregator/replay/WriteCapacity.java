package dev.understudy.aggregator.replay;

import io.netty.channel.Channel;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether a debug connection takes more, and lets one wait until it does. Confined to the connection's event
 * loop.
 */
public final class WriteCapacity {
    private final Channel channel;
    private @Nullable Runnable waiting;

    public WriteCapacity(Channel channel) {
        this.channel = channel;
    }

    /** Where answers are written. */
    public Executor executor() {
        return channel.eventLoop();
    }

    /** Whether there is still somebody to answer. */
    public boolean open() {
        return channel.isActive();
    }

    /** Whether more is on its way to the client than should be. */
    public boolean full() {
        return !channel.isWritable();
    }

    /**
     * Sends what was written.
     *
     * @param later is run once the client has read enough of it, unless that is so at once
     * @return whether {@code later} will be run
     */
    public boolean waits(Runnable later) {
        channel.flush();
        if (!full()) {
            return false;
        }
        waiting = later;
        return true;
    }

    /** The channel became writable, or ceased to be. */
    public void writabilityChanged() {
        Runnable later = waiting;
        if (later != null && !full()) {
            waiting = null;
            later.run();
        }
    }

    /** Nobody waits any more. */
    public void leave() {
        waiting = null;
    }
}
