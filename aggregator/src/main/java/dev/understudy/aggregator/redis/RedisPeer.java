package dev.understudy.aggregator.redis;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.util.concurrent.RejectedExecutionException;

/** A debug connection as others reach it, on any thread. */
record RedisPeer(Channel channel, CachedKeys cached) {
    /** Ends it once it has got what it is being told: a command has killed it, as production's. */
    void cut() {
        run(() -> channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE));
    }

    /** Tells it to forget a key that another connection has read. */
    void forget(String key) {
        run(() -> cached.deliver(key));
    }

    private void run(Runnable task) {
        try {
            channel.eventLoop().execute(task);
        } catch (RejectedExecutionException stopped) {
            // the loop ends, and the connection with it
        }
    }
}
