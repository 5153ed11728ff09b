package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.exchange.Recorded;
import dev.understudy.aggregator.redis.command.TrackedCommands;
import dev.understudy.aggregator.redis.command.Tracking;
import dev.understudy.aggregator.redis.push.Heard;
import dev.understudy.aggregator.redis.push.Invalidations;
import dev.understudy.aggregator.redis.push.Topic;
import dev.understudy.aggregator.replay.UpstreamReplay;
import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.divergence.wire.redis.RedisKeys;
import dev.understudy.divergence.wire.redis.RespValue;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What the client of one debug connection may cache: tells it to forget a key as long after it read it as production's
 * connection was told after the same read. Confined to the connection's event loop.
 */
final class CachedKeys {
    /** Beyond this a client is told to forget the one it read longest ago. */
    private static final int MOST = 100_000;

    /** Memory of a key that may be cached, besides its name: text, entry, and when it was read. */
    private static final long PER_KEY = 192;

    private final Channel channel;
    private final UpstreamReplay<RedisReply> replay;
    private final RedisUpstreamSession session;
    private final ClientIds.RedisClient client;
    private final Map<String, Read> reads = new LinkedHashMap<>();
    private final Set<String> late = new LinkedHashSet<>();
    private boolean held;
    private long bytes;
    private final Set<Invalidations> followed = new HashSet<>();
    private final Consumer<List<String>> follower = this::wake;

    CachedKeys(
            Channel channel,
            UpstreamReplay<RedisReply> replay,
            RedisUpstreamSession session,
            ClientIds.RedisClient client) {
        this.channel = channel;
        this.replay = replay;
        this.session = session;
        this.client = client;
    }

    /** The client was given what production had got for these commands. */
    void read(List<RedisCommand> commands, Recorded<RedisReply> recorded) {
        if (!session.isTracking()) {
            return;
        }
        Heard heard = recorded.reply().heard();
        if (heard != null && followed.add(heard.told())) {
            heard.told().follow(follower);
        }
        long now = System.nanoTime();
        for (RedisCommand command : commands) {
            if (!TrackedCommands.contains(command)) {
                continue;
            }
            for (byte[] key : RedisKeys.of(command)) {
                String name = Topic.name(key);
                remove(name);
                if (heard == null) {
                    tell(name); // an earlier process recorded it, and heard what came then
                } else {
                    reads.put(name, new Read(heard, recorded.endNanos(), now));
                    bytes += cost(name);
                    look(name);
                }
            }
        }
        while (reads.size() > MOST) {
            String oldest = reads.keySet().iterator().next();
            remove(oldest);
            tell(oldest);
        }
    }

    /** Memory that the keys take. */
    long heldBytes() {
        return bytes;
    }

    private void remove(String name) {
        bytes -= reads.remove(name) == null ? 0 : cost(name);
    }

    private static long cost(String name) {
        return PER_KEY + name.length();
    }

    /** Nothing is tracked from here on. */
    void forget() {
        reads.keySet().forEach(name -> bytes -= cost(name));
        reads.clear();
        followed.forEach(told -> told.leave(follower));
        followed.clear();
    }

    private void look(String key) {
        Read read = reads.get(key);
        Long told = read == null ? null : read.heard.told().since(key, read.heard.position());
        if (read == null || told == null) {
            return;
        }
        remove(key);
        long due = read.replayedNanos + Math.max(0, told - read.recordedNanos) - System.nanoTime();
        if (due <= 0) {
            tell(key);
        } else {
            bytes += cost(key);
            channel.eventLoop()
                    .schedule(
                            () -> {
                                bytes -= cost(key);
                                tell(key);
                            },
                            due,
                            TimeUnit.NANOSECONDS);
        }
    }

    /** Whether nothing may be told now, since a reply is being written. */
    void hold(boolean now) {
        held = now;
        if (!now) {
            List<String> due = List.copyOf(late);
            late.clear();
            due.forEach(key -> bytes -= cost(key));
            due.forEach(this::deliver);
        }
    }

    private void tell(String key) {
        if (!session.isTracking() || !channel.isActive()) {
            return;
        }
        if (client.redirection() > 0) {
            client.redirect(key);
        } else {
            deliver(key);
        }
    }

    /** Tells this connection to forget a key that it has read, or another one that has it told here. */
    void deliver(String key) {
        if (held) {
            bytes += late.add(key) ? cost(key) : 0;
            return;
        }
        boolean pushes = session.version() == 3;
        if (channel.isActive() && (pushes || session.subscribed().has(Topic.Kind.CHANNEL, Tracking.CHANNEL))) {
            RespValue keys = new RespValue.Array(List.of(bulk(key)));
            RespValue told = pushes
                    ? new RespValue.Push(List.of(bulk("invalidate"), keys))
                    : new RespValue.Array(List.of(bulk("message"), bulk(Tracking.CHANNEL), keys));
            channel.writeAndFlush(Unpooled.wrappedBuffer(told.encode()));
            replay.pushed(1);
        }
    }

    private static RespValue bulk(String text) {
        return new RespValue.Bulk(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private void wake(List<String> keys) {
        try {
            channel.eventLoop()
                    .execute(() -> (keys.isEmpty() ? List.copyOf(reads.keySet()) : keys).forEach(this::look));
        } catch (RejectedExecutionException stopped) {
            // the loop ends, and the connection with it
        }
    }

    private record Read(Heard heard, long recordedNanos, long replayedNanos) {}
}
