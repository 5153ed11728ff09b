package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.exchange.Checksum;
import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.redis.push.Heard;
import dev.understudy.divergence.content.ValueWords;
import org.jspecify.annotations.Nullable;

/**
 * One reply as Redis sent it. The bytes are shared and never changed. Most replies are no more than that, and as there
 * may be millions of them, what a few have besides isn't here.
 */
public sealed class RedisReply implements RecordedReply {
    private final byte[] wire;

    /** A reply to a connection whose reads aren't tracked, all in memory. */
    public RedisReply(byte[] wire) {
        this.wire = wire;
    }

    /**
     * A reply of any kind.
     *
     * @param heard what the connection that got it is told to forget; null if its reads weren't tracked, or another
     *     process recorded it
     * @param large what was sent, if it lies in files; {@code wire} is empty then. Null if it doesn't
     */
    static RedisReply of(byte[] wire, @Nullable Heard heard, @Nullable LargeBody large) {
        return heard == null && large == null ? new RedisReply(wire) : new More(wire, heard, large);
    }

    /** What was sent, unless it is {@link #large}. */
    public byte[] wire() {
        return wire;
    }

    /** What the connection that got it is told to forget; null if that isn't known. */
    public @Nullable Heard heard() {
        return null;
    }

    @Override
    public long bytes() {
        return wire.length;
    }

    @Override
    public void addTo(ValueWords words) {
        words.add(wire);
    }

    @Override
    public long answer() {
        LargeBody body = large();
        return body == null ? Checksum.of(wire) : body.sum();
    }

    private static final class More extends RedisReply {
        private final @Nullable Heard heard;
        private final @Nullable LargeBody large;

        More(byte[] wire, @Nullable Heard heard, @Nullable LargeBody large) {
            super(wire);
            this.heard = heard;
            this.large = large;
        }

        @Override
        public @Nullable Heard heard() {
            return heard;
        }

        @Override
        public @Nullable LargeBody large() {
            return large;
        }
    }
}
