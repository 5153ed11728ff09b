package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.live.LiveLimits;
import dev.understudy.aggregator.live.LiveRead;
import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.divergence.wire.redis.RespFramer;
import dev.understudy.divergence.wire.redis.RespSink;
import dev.understudy.divergence.wire.redis.RespValue;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One command that only reads, behind those that bring a fresh connection to where the debug one is. */
final class RedisLiveRead implements LiveRead<RedisReply> {
    private final byte[] request;
    private final RespFramer framer = new RespFramer(new Replies(), LiveLimits.DEFAULT.replyBytes());
    private int before;
    private Progress progress = Progress.INCOMPLETE;
    private String problem = "its reply isn't whole, or no RESP";
    private byte[] reply = {};

    RedisLiveRead(List<RedisCommand> opening, RedisCommand command) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        opening.forEach(each -> bytes.writeBytes(encoded(each)));
        bytes.writeBytes(encoded(command));
        request = bytes.toByteArray();
        before = opening.size();
    }

    private static byte[] encoded(RedisCommand command) {
        List<RespValue> words = new ArrayList<>();
        words.add(new RespValue.Bulk(command.name().getBytes(StandardCharsets.ISO_8859_1)));
        command.arguments().forEach(word -> words.add(new RespValue.Bulk(word)));
        return new RespValue.Array(words).encode();
    }

    @Override
    public byte[] request() {
        return request;
    }

    @Override
    public Progress feed(ByteBuffer bytes) {
        framer.feed(bytes);
        return progress;
    }

    @Override
    public Progress end() {
        return progress == Progress.COMPLETE ? progress : Progress.BROKEN;
    }

    @Override
    public RedisReply reply() {
        return new RedisReply(reply);
    }

    @Override
    public String problem() {
        return problem;
    }

    private final class Replies implements RespSink {
        @Override
        public void value(RespValue value, Sent sent) {
            if (progress != Progress.INCOMPLETE || value instanceof RespValue.Push) {
                return;
            }
            if (before == 0) {
                reply = sent.bytes();
                progress = Progress.COMPLETE;
            } else if (value instanceof RespValue.SimpleError || value instanceof RespValue.BulkError) {
                problem = "the real server refused the log-in, the protocol's version or the database";
                progress = Progress.BROKEN;
            } else {
                before--;
            }
        }

        @Override
        public void unframed(String reason, byte[] remaining) {
            if (progress == Progress.INCOMPLETE) {
                progress = Progress.BROKEN;
            }
        }
    }
}
