package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.journal.Checksum;
import dev.understudy.aggregator.journal.Reply;

/** One reply as Redis sent it. The bytes are shared and never changed. */
public record RedisReply(byte[] wire) implements Reply {
    @Override
    public long bytes() {
        return wire.length;
    }

    @Override
    public long answer() {
        return Checksum.of(wire);
    }
}
