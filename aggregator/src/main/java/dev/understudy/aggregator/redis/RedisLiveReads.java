package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.limit.HeldMemory;
import dev.understudy.aggregator.live.LiveRead;
import dev.understudy.aggregator.redis.command.LiveCommands;
import dev.understudy.aggregator.replay.Fallback;
import dev.understudy.divergence.wire.redis.RedisCommand;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one debug connection that a real Redis may be sent, each behind what the connection has agreed on:
 * its log-in, its protocol's version, its database. Confined to the connection's event loop.
 */
final class RedisLiveReads {
    /** Longer credentials aren't kept. */
    private static final int LONGEST_LOGIN = 4 << 10;

    private final RedisUpstreamSession session;
    private final HeldMemory coming;
    private List<byte[]> login = List.of();

    /** @param coming what the real server's replies are charged to while they come */
    RedisLiveReads(RedisUpstreamSession session, HeldMemory coming) {
        this.session = session;
        this.coming = coming;
    }

    /** A command was answered here, without an error. */
    void succeeded(RedisCommand command) {
        switch (command.name()) {
            case "AUTH" -> logIn(command.arguments());
            case "HELLO" -> {
                for (int i = 1; i + 2 < command.arguments().size(); i++) {
                    if (command.word(i).equals("AUTH")) {
                        logIn(command.arguments().subList(i + 1, i + 3));
                        return;
                    }
                }
            }
            case "RESET" -> login = List.of();
            default -> {
                // it has nothing to do with a log-in
            }
        }
    }

    private void logIn(List<byte[]> credentials) {
        long bytes = credentials.stream().mapToLong(word -> word.length).sum();
        login = bytes <= LONGEST_LOGIN ? List.copyOf(credentials) : List.of();
    }

    /** What may answer commands that nothing recorded fits: no transaction, and no connection in a mode. */
    Fallback<RedisReply> instead(List<RedisCommand> commands, boolean isTransaction) {
        boolean isRead =
                !isTransaction && commands.size() == 1 && session.isPlain() && LiveCommands.contains(commands.get(0));
        return new Fallback<>() {
            @Override
            public @Nullable String stub() {
                return null;
            }

            @Override
            public @Nullable LiveRead<RedisReply> read() {
                return isRead ? new RedisLiveRead(opening(), commands.get(0)) : null;
            }

            @Override
            public HeldMemory memory() {
                return coming;
            }
        };
    }

    private List<RedisCommand> opening() {
        List<RedisCommand> opening = new ArrayList<>();
        if (!login.isEmpty()) {
            opening.add(new RedisCommand("AUTH", login));
        }
        if (session.version() != 2) {
            opening.add(command("HELLO", session.version()));
        }
        if (session.database() != 0) {
            opening.add(command("SELECT", session.database()));
        }
        return opening;
    }

    private static RedisCommand command(String name, int argument) {
        return new RedisCommand(name, List.of(Integer.toString(argument).getBytes(StandardCharsets.US_ASCII)));
    }
}
