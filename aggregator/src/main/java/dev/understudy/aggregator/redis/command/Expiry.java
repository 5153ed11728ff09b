package dev.understudy.aggregator.redis.command;

import dev.understudy.divergence.wire.redis.RedisCommand;
import java.util.BitSet;
import java.util.Set;

/** Where commands say for how long something is to live, or until when. */
final class Expiry {
    private static final Set<String> OPTIONS = Set.of("EX", "EXAT", "PX", "PXAT");

    private Expiry() {}

    static void mark(RedisCommand command, BitSet marked) {
        switch (command.name()) {
            case "EXPIRE", "EXPIREAT", "PEXPIRE", "PEXPIREAT" -> marked.set(1);
            case "HEXPIRE", "HEXPIREAT", "HPEXPIRE", "HPEXPIREAT" -> marked.set(1);
            case "PSETEX", "RESTORE", "SETEX" -> marked.set(1);
            case "GETEX" -> option(command, 1, marked);
            case "SET" -> option(command, 2, marked);
            default -> {
                // it says nothing of the kind
            }
        }
    }

    /** The value behind the option, which stands after the key, and the value if there is one. */
    private static void option(RedisCommand command, int from, BitSet marked) {
        for (int i = from; i + 1 < command.arguments().size(); i++) {
            if (OPTIONS.contains(command.word(i))) {
                marked.set(i + 1);
                return;
            }
        }
    }
}
