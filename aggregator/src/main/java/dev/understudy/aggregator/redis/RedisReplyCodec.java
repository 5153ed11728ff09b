package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.exchange.PackedReader;
import dev.understudy.aggregator.exchange.PackedWriter;
import dev.understudy.aggregator.exchange.ReplyCodec;
import dev.understudy.aggregator.redis.push.Heard;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Redis' replies on disk: as they came. */
public final class RedisReplyCodec implements ReplyCodec<RedisReply> {
    @Override
    public int format() {
        return 0x5201;
    }

    @Override
    public void encode(RedisReply reply, PackedWriter out) {
        out.bytes(reply.wire());
    }

    @Override
    public RedisReply decode(PackedReader in, @Nullable Object kept) throws IOException {
        return RedisReply.of(in.bytes(), kept instanceof Heard heard ? heard : null, in.large());
    }

    @Override
    public @Nullable Object kept(RedisReply reply) {
        return reply.heard();
    }
}
