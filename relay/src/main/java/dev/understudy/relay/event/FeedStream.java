package dev.understudy.relay.event;

import io.netty.channel.ChannelHandlerContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Tells one caller what happens, for as long as it stays and as fast as it reads.
 *
 * <p>It remembers which happening the caller got last, and nothing else: while the caller's socket takes no more,
 * nothing is written, and what the feed has forgotten by then is told as one event {@code missed}. Confined to its
 * event loop, but for {@link #wake}.
 */
final class FeedStream extends EventReply {
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    private final EventFeed feed;
    private final EventFeed.State state;
    private final @Nullable String lastId;
    private final AtomicBoolean awake = new AtomicBoolean();
    private volatile @Nullable ChannelHandlerContext context;
    private @Nullable ScheduledFuture<?> heartbeats;
    private @Nullable ScheduledFuture<?> looks;
    private List<Map<String, Object>> statesTold = List.of();
    private long told;

    FeedStream(EventFeed feed, EventFeed.State state, @Nullable String lastId) {
        this.feed = feed;
        this.state = state;
        this.lastId = lastId;
    }

    @Override
    void begin(ChannelHandlerContext ctx) {
        context = ctx;
        feed.joined(this);
        goOn(ctx);
        long period = state.period().toMillis();
        looks = ctx.executor().scheduleAtFixedRate(() -> tellState(ctx), 0, period, TimeUnit.MILLISECONDS);
        heartbeats = ctx.executor()
                .scheduleAtFixedRate(
                        () -> beat(ctx), HEARTBEAT.toMillis(), HEARTBEAT.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Something happened, or the caller may have room again. Any thread. */
    void wake() {
        ChannelHandlerContext ctx = context;
        if (ctx != null && !awake.getAndSet(true)) {
            try {
                ctx.executor().execute(() -> {
                    awake.set(false);
                    tell(ctx);
                });
            } catch (RejectedExecutionException stopped) {
                context = null;
            }
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        wake();
        ctx.fireChannelWritabilityChanged();
    }

    /**
     * Goes on where the caller says that it was, and begins now if it says nothing. Whoever names an event of another
     * process gets all of this one's that are kept.
     */
    private void goOn(ChannelHandlerContext ctx) {
        if (lastId == null || lastId.isEmpty()) {
            told = feed.published();
        } else {
            long number = feed.number(lastId);
            told = Math.max(0, number);
            if (number < 0) {
                write(ctx, ServerSentEvent.of("missed", missed(null, "unknown id")));
            }
        }
        tell(ctx);
        ctx.flush();
    }

    private void tell(ChannelHandlerContext ctx) {
        ServerEvent next = ctx.channel().isWritable() ? feed.after(told) : null;
        if (next == null) {
            return;
        }
        while (next != null) {
            long lost = next.number() - told - 1;
            if (lost > 0) {
                feed.missed(lost);
                write(ctx, ServerSentEvent.of("missed", missed(lost, "not kept any more")));
            }
            write(ctx, ServerSentEvent.of(next.name(), feed.id(next.number()), next.said()));
            told = next.number();
            next = ctx.channel().isWritable() ? feed.after(told) : null;
        }
        ctx.flush();
    }

    private void tellState(ChannelHandlerContext ctx) {
        if (!ctx.channel().isWritable()) {
            return;
        }
        List<Map<String, Object>> now = state.now().get();
        for (int i = 0; i < now.size(); i++) {
            if (i >= statesTold.size() || !sameButTime(now.get(i), statesTold.get(i))) {
                write(ctx, ServerSentEvent.of(state.name(), now.get(i)));
            }
        }
        statesTold = now;
        ctx.flush();
    }

    private static boolean sameButTime(Map<String, Object> one, Map<String, Object> other) {
        Map<String, Object> timeless = new HashMap<>(one);
        timeless.put("at", other.getOrDefault("at", 0));
        return timeless.equals(other);
    }

    private static void beat(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable()) {
            write(ctx, ServerSentEvent.heartbeat());
            ctx.flush();
        }
    }

    private static Map<String, Object> missed(@Nullable Long events, String why) {
        Map<String, Object> said = new HashMap<>();
        said.put("events", events);
        said.put("why", why);
        return said;
    }

    @Override
    void stop() {
        context = null;
        feed.left(this);
        if (looks != null) {
            looks.cancel(false);
        }
        if (heartbeats != null) {
            heartbeats.cancel(false);
        }
    }
}
