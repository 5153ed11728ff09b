package dev.understudy.relay.event;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends one caller a server-sent event at every tick, for as long as it stays.
 *
 * <p>A caller that doesn't read loses events, never gets old ones late, and holds at most Netty's write-buffer mark.
 */
public final class StateStream extends EventReply {
    private final Duration period;
    private final Supplier<Object> event;
    private final Runnable left;
    private @Nullable ScheduledFuture<?> ticks;

    /** @param event what is told at each tick, as JSON; called on the control port's event loop */
    public StateStream(Duration period, Supplier<Object> event) {
        this(period, event, () -> {});
    }

    /** @param left runs once, when the caller has left; on the control port's event loop */
    StateStream(Duration period, Supplier<Object> event, Runnable left) {
        this.period = period;
        this.event = event;
        this.left = left;
    }

    @Override
    void begin(ChannelHandlerContext ctx) {
        ticks = ctx.executor().scheduleAtFixedRate(() -> send(ctx), 0, period.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void send(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable()) {
            write(ctx, ServerSentEvent.of(event.get()));
            ctx.flush();
        }
    }

    @Override
    void stop() {
        if (ticks != null) {
            ticks.cancel(false);
            ticks = null;
            left.run();
        }
    }
}
