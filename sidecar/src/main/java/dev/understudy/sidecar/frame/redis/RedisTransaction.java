package dev.understudy.sidecar.frame.redis;

import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.sidecar.frame.Request.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows one connection's transactions from what the client sends, and says of each command what depends on it.
 * Confined to its lane loop.
 *
 * <p>A transaction that keys are watched for goes in any case: without it the debug side would go on watching them.
 */
final class RedisTransaction {
    /** Of a longer one the commands aren't known when its answer comes. */
    private static final int MOST_QUEUED = 256;

    private static final int WORDS = 8;
    private static final int WORD = 32;

    /** Change what later commands of the connection mean, or need, or whether it goes on at all. */
    private static final Set<String> STATE = Set.of(
            "ASKING",
            "AUTH",
            "CLIENT",
            "FUNCTION",
            "HELLO",
            "QUIT",
            "READONLY",
            "READWRITE",
            "RESET",
            "SCRIPT",
            "SELECT",
            "UNWATCH",
            "WATCH");

    private @Nullable List<RedisCommand> queued;
    private boolean watching;
    private boolean tooLong;

    /**
     * The next command.
     *
     * @param whole whether these are all of its words
     */
    RedisRequest next(RedisCommand command, boolean whole) {
        return queued == null ? outside(command, whole) : inside(command, whole, queued);
    }

    private RedisRequest outside(RedisCommand command, boolean whole) {
        if (command.name().equals("MULTI") && command.arguments().isEmpty()) {
            queued = new ArrayList<>();
            tooLong = false;
            return new RedisRequest(command, whole, watching ? Part.STATE : Part.FIRST, List.of());
        }
        switch (command.name()) {
            case "WATCH" -> watching = true;
            case "UNWATCH", "RESET", "EXEC", "DISCARD" -> watching = false;
            default -> {
                // no other command has to do with transactions
            }
        }
        return new RedisRequest(command, whole, STATE.contains(command.name()) ? Part.STATE : Part.ALONE, List.of());
    }

    private RedisRequest inside(RedisCommand command, boolean whole, List<RedisCommand> before) {
        boolean ends = Set.of("EXEC", "DISCARD", "RESET").contains(command.name());
        boolean state = watching || STATE.contains(command.name());
        if (ends) {
            List<RedisCommand> runs = command.name().equals("EXEC") && !tooLong ? List.copyOf(before) : List.of();
            queued = null;
            watching = false;
            return new RedisRequest(command, whole, state ? Part.STATE : Part.LAST, runs);
        }
        if (before.size() < MOST_QUEUED) {
            before.add(shortened(command));
        } else {
            tooLong = true;
        }
        return new RedisRequest(command, whole, state ? Part.STATE : Part.INNER, List.of());
    }

    /** Enough to know what its answer means. */
    private static RedisCommand shortened(RedisCommand command) {
        return new RedisCommand(
                command.name(),
                command.arguments().stream()
                        .limit(WORDS)
                        .map(word -> word.length <= WORD ? word : Arrays.copyOf(word, WORD))
                        .toList());
    }
}
