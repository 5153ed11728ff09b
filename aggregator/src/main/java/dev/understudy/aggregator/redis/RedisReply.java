package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.exchange.Checksum;
import dev.understudy.aggregator.exchange.Reply;
import dev.understudy.aggregator.redis.push.Heard;
import org.jspecify.annotations.Nullable;

/**
 * One reply as Redis sent it. The bytes are shared and never changed.
 *
 * @param heard what the connection that got it is told to forget; null if its reads weren't tracked, or another process recorded
 *     it
 * @param large what was sent, if it lies in files; {@code wire} is empty then. Null if it doesn't
 */
public record RedisReply(
        byte[] wire, @Nullable Heard heard, @Nullable LargeBody large) implements Reply {
    /** A reply that is all in memory. */
    public RedisReply(byte[] wire, @Nullable Heard heard) {
        this(wire, heard, null);
    }

    /** A reply to a connection whose reads aren't tracked. */
    public RedisReply(byte[] wire) {
        this(wire, null);
    }

    @Override
    public long bytes() {
        return wire.length;
    }

    @Override
    public long answer() {
        LargeBody body = large;
        return body == null ? Checksum.of(wire) : body.sum();
    }
}
