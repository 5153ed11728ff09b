package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.redis.command.ReplySwitch;
import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.divergence.wire.redis.RespValue;
import dev.understudy.divergence.wire.redis.RespValue.Bulk;
import dev.understudy.divergence.wire.redis.RespValue.Entry;
import dev.understudy.divergence.wire.redis.RespValue.Int;
import dev.understudy.divergence.wire.redis.RespValue.Mapping;
import dev.understudy.divergence.wire.redis.RespValue.Simple;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The list of commands that concern only the connection that they come on: handshake, keep-alive, session.
 *
 * <p>In production they are followed but not recorded; on the debug side they are answered here, so that connection
 * pools of another size, or a health check, never use up a recorded reply. Any credentials are accepted.
 */
final class LocalCommands {
    private static final Set<String> LOCAL = Set.of(
            "ASKING",
            "AUTH",
            "ECHO",
            "HELLO",
            "PING",
            "QUIT",
            "READONLY",
            "READWRITE",
            "RESET",
            "SELECT",
            "UNWATCH",
            "WATCH");
    private static final Set<String> LOCAL_CLIENT = Set.of(
            "CACHING",
            "CAPA",
            "GETNAME",
            "ID",
            "MAINT_NOTIFICATIONS",
            "NO-EVICT",
            "NO-TOUCH",
            "SETINFO",
            "SETNAME",
            "TRACKING");
    private static final RespValue OK = new Simple("OK");

    private LocalCommands() {}

    static boolean contains(RedisCommand command) {
        return LOCAL.contains(command.name())
                || (command.name().equals("CLIENT") && LOCAL_CLIENT.contains(command.word(0)))
                || ReplySwitch.isTurnedBy(command);
    }

    /** Under which key production's side shares how the server answers this command; null if it doesn't. */
    static @Nullable String fact(RedisCommand command) {
        return switch (command.name()) {
            case "HELLO", "CLIENT" -> command.name() + ' ' + command.word(0);
            default -> null;
        };
    }

    /**
     * What Redis would say.
     *
     * @param session as it is before the command
     * @param recorded how production's server answered the last command like this; null if that isn't known
     */
    static RespValue answer(
            RedisCommand command, RedisUpstreamSession session, long connection, @Nullable RespValue recorded) {
        if (recorded instanceof RespValue.SimpleError) {
            return recorded; // an older server, or one that was told to refuse it
        }
        return switch (command.name()) {
            case "PING" -> ping(command, session);
            case "ECHO" ->
                new Bulk(
                        command.arguments().isEmpty()
                                ? new byte[0]
                                : command.arguments().get(0));
            case "RESET" -> new Simple("RESET");
            case "HELLO" -> hello(command, session, connection, recorded);
            case "CLIENT" -> client(command, session, connection);
            default -> OK;
        };
    }

    /** In version 2 a subscriber is answered as if by a message. */
    private static RespValue ping(RedisCommand command, RedisUpstreamSession session) {
        boolean plain = command.arguments().isEmpty();
        RespValue said = plain ? bulk("") : new Bulk(command.arguments().get(0));
        if (session.version() == 2 && !session.subscribed().isEmpty()) {
            return new RespValue.Array(List.of(bulk("pong"), said));
        }
        return plain ? new Simple("PONG") : said;
    }

    private static RespValue client(RedisCommand command, RedisUpstreamSession session, long connection) {
        return switch (command.word(0)) {
            case "ID" -> new Int(connection);
            case "MAINT_NOTIFICATIONS" -> new RespValue.SimpleError("ERR unknown subcommand");
            case "GETNAME" ->
                session.name().isEmpty() && session.version() == 3
                        ? new RespValue.Null()
                        : session.name().isEmpty() ? new Bulk(null) : bulk(session.name());
            default -> OK;
        };
    }

    /** Production's own greeting with this connection's number, or one like it. */
    private static RespValue hello(
            RedisCommand command, RedisUpstreamSession session, long connection, @Nullable RespValue recorded) {
        String version = command.arguments().isEmpty() ? Integer.toString(session.version()) : command.text(0);
        if (!version.equals("2") && !version.equals("3")) {
            return new RespValue.SimpleError("NOPROTO unsupported protocol version");
        }
        if (recorded instanceof Mapping mapping) {
            return new Mapping(withId(mapping.entries(), connection));
        }
        if (recorded instanceof RespValue.Array array && array.items() != null) {
            return flat(withId(paired(array.items()), connection));
        }
        List<Entry> entries = List.of(
                new Entry(bulk("server"), bulk("redis")),
                new Entry(bulk("version"), bulk("7.0.0")),
                new Entry(bulk("proto"), new Int(version.equals("3") ? 3 : 2)),
                new Entry(bulk("id"), new Int(connection)),
                new Entry(bulk("mode"), bulk("standalone")),
                new Entry(bulk("role"), bulk("master")),
                new Entry(bulk("modules"), new RespValue.Array(List.of())));
        return version.equals("3") ? new Mapping(entries) : flat(entries);
    }

    private static List<Entry> withId(List<Entry> entries, long connection) {
        return entries.stream()
                .map(entry -> entry.key().equals(bulk("id")) ? new Entry(entry.key(), new Int(connection)) : entry)
                .toList();
    }

    private static List<Entry> paired(List<RespValue> items) {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i + 1 < items.size(); i += 2) {
            entries.add(new Entry(items.get(i), items.get(i + 1)));
        }
        return entries;
    }

    private static RespValue flat(List<Entry> entries) {
        return new RespValue.Array(entries.stream()
                .flatMap(entry -> Arrays.asList(entry.key(), entry.value()).stream())
                .toList());
    }

    private static RespValue bulk(String text) {
        return new Bulk(text.getBytes(StandardCharsets.UTF_8));
    }
}
