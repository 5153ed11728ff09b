package dev.understudy.aggregator.redis;

import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.divergence.wire.redis.RespSink;
import dev.understudy.divergence.wire.redis.RespValue;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Receives what a client sends as commands, those that are too long to be held by their beginning and a hash. */
abstract class CommandSink implements RespSink {
    private @Nullable LongCommand sending;

    /** A command was sent, of which so many bytes are held. */
    abstract void command(RedisCommand command, long bytes);

    /** Something else was sent, or nothing. */
    void other(RespValue value) {}

    @Override
    public final void value(RespValue value, Sent sent) {
        RedisCommand command = RedisCommand.of(value);
        if (command == null) {
            other(value);
        } else {
            command(command, sent.length());
        }
    }

    @Override
    public final boolean largeBegins(char type, List<RespValue> begun, long atLeast) {
        sending = LongCommand.of(type, begun);
        return sending != null;
    }

    @Override
    public final void piece(ByteBuffer wire) {
        if (sending != null) {
            sending.piece(wire);
        }
    }

    @Override
    public final void largeEnds() {
        if (sending != null) {
            RedisCommand sent = sending.end();
            sending = null;
            command(sent, sent.bytes());
        }
    }
}
