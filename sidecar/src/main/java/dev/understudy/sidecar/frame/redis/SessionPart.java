package dev.understudy.sidecar.frame.redis;

import dev.understudy.divergence.wire.redis.RedisCommand;
import java.util.EnumSet;
import java.util.Set;

/** The parts of what a Redis server remembers of one connection. */
enum SessionPart {
    PROTOCOL,
    USER,
    NAME,
    DATABASE,
    REPLICA_READS,
    EVICTION,
    TOUCH,
    LIBRARY_NAME,
    LIBRARY_VERSION,
    TRACKING,
    /** What can't be set up again by saying the same once more. */
    OTHER;

    /** Subcommands of CLIENT after which the connection is as it was. */
    private static final Set<String> ASKING =
            Set.of("CACHING", "GETNAME", "GETREDIR", "HELP", "ID", "INFO", "KILL", "LIST", "PAUSE", "TRACKINGINFO");

    private static final Set<String> OF_OTHERS = Set.of("UNBLOCK", "UNPAUSE");

    /** Those that {@code command} sets; none for nearly every command. */
    static Set<SessionPart> of(RedisCommand command) {
        return switch (command.name()) {
            case "HELLO" -> hello(command);
            case "AUTH" -> EnumSet.of(USER);
            case "SELECT" -> EnumSet.of(DATABASE);
            case "READONLY", "READWRITE" -> EnumSet.of(REPLICA_READS);
            case "CLIENT" -> client(command);
            case "SCRIPT" -> command.word(0).equals("DEBUG") ? EnumSet.of(OTHER) : Set.of();
            default -> Set.of();
        };
    }

    /** {@code HELLO [protover [AUTH username password] [SETNAME clientname]]} (Redis command reference). */
    private static Set<SessionPart> hello(RedisCommand command) {
        Set<SessionPart> set = EnumSet.noneOf(SessionPart.class);
        if (!command.arguments().isEmpty()) {
            set.add(PROTOCOL);
        }
        int at = 1;
        while (at < command.arguments().size()) {
            boolean auth = command.word(at).equals("AUTH");
            set.add(auth ? USER : NAME);
            at += auth ? 3 : 2;
        }
        return set;
    }

    private static Set<SessionPart> client(RedisCommand command) {
        String what = command.word(0);
        return switch (what) {
            case "SETNAME" -> EnumSet.of(NAME);
            case "NO-EVICT" -> EnumSet.of(EVICTION);
            case "NO-TOUCH" -> EnumSet.of(TOUCH);
            case "SETINFO" -> EnumSet.of(command.word(1).equals("LIB-VER") ? LIBRARY_VERSION : LIBRARY_NAME);
            case "TRACKING" -> EnumSet.of(redirected(command) ? OTHER : TRACKING);
            default -> ASKING.contains(what) || OF_OTHERS.contains(what) ? Set.of() : EnumSet.of(OTHER);
        };
    }

    /** To another connection, whose number is the server's own. */
    private static boolean redirected(RedisCommand command) {
        for (int at = 1; at < command.arguments().size(); at++) {
            if (command.word(at).equals("REDIRECT")) {
                return true;
            }
        }
        return false;
    }
}
