package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.redis.command.TrackedCommands;
import dev.understudy.aggregator.redis.push.Topic.Kind;
import dev.understudy.divergence.content.Sha256;
import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.divergence.wire.redis.RespValue;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Follows one command that is too long to be held: what it begins with is kept, and a hash of all of it. */
final class LongCommand {
    /**
     * A command is long from so many bytes on, whichever side sends it: a long one and a short one are never the same.
     */
    private static final long LONG = 256 << 10;

    private final RedisCommand beginning;
    private final MessageDigest hash;

    private LongCommand(RedisCommand beginning) {
        this.beginning = beginning;
        this.hash = Sha256.digest();
    }

    /** Bytes from which on a command is long, where a message may have so many. */
    static long from(long largestMessage) {
        return Math.min(LONG, largestMessage / 2);
    }

    /**
     * Begins to follow one.
     *
     * @return null if more must be known of it than a hash: it isn't a command, or one by whose arguments a session is
     *     followed
     */
    static @Nullable LongCommand of(char type, List<RespValue> begun) {
        RedisCommand command = type == '*' ? RedisCommand.of(new RespValue.Array(begun)) : null;
        if (command == null) {
            return null;
        }
        boolean followed = command.unpairs()
                || Kind.of(command) != null
                || LocalCommands.contains(command)
                || TrackedCommands.contains(command);
        return followed ? null : new LongCommand(command);
    }

    void piece(ByteBuffer wire) {
        hash.update(wire);
    }

    RedisCommand end() {
        return beginning.goesOn(hash.digest());
    }
}
