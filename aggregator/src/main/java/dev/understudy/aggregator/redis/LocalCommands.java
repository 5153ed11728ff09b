package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.redis.command.ReplySwitch;
import dev.understudy.aggregator.replay.UpstreamReplay;
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
import java.util.Locale;
import java.util.Map;
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

    /** As Redis 7 greets. */
    private static final List<Entry> MADE_UP = List.of(
            new Entry(bulk("server"), bulk("redis")),
            new Entry(bulk("version"), bulk("7.0.0")),
            new Entry(bulk("proto"), new Int(2)),
            new Entry(bulk("id"), new Int(0)),
            new Entry(bulk("mode"), bulk("standalone")),
            new Entry(bulk("role"), bulk("master")),
            new Entry(bulk("modules"), new RespValue.Array(List.of())));

    private LocalCommands() {}

    static boolean contains(RedisCommand command) {
        return LOCAL.contains(command.name())
                || (command.name().equals("CLIENT") && LOCAL_CLIENT.contains(command.word(0)))
                || ReplySwitch.isTurnedBy(command);
    }

    /** Whether its reply, if there is one, is all that comes of it. */
    static boolean changesNothing(RedisCommand command) {
        return switch (command.name()) {
            case "ECHO", "PING" -> true;
            case "CLIENT" -> command.word(0).equals("ID") || command.word(0).equals("GETNAME");
            default -> false;
        };
    }

    /**
     * Under which key production's side shares how the server greets; null if this asks for no greeting.
     *
     * @param version that the session speaks before
     */
    static @Nullable String greeting(RedisCommand command, int version) {
        String wanted = command.arguments().isEmpty() ? Integer.toString(version) : command.text(0);
        return command.name().equals("HELLO") && (wanted.equals("2") || wanted.equals("3")) ? "HELLO " + wanted : null;
    }

    /** How production's server greeted in the wanted version of the protocol, or at least in the other one. */
    static @Nullable RespValue greeting(RedisCommand command, int version, UpstreamReplay<RedisReply> replay) {
        String wanted = greeting(command, version);
        if (wanted == null) {
            return null;
        }
        RespValue greeting = replay.known(wanted, RespValue.class);
        RespValue other = replay.known(wanted.equals("HELLO 3") ? "HELLO 2" : "HELLO 3", RespValue.class);
        if (greeting == null && other == null) {
            replay.guessed();
        }
        return greeting == null ? other : greeting;
    }

    /** The id that the server's answer gives to the connection; 0 if it gives none. */
    static long clientId(RedisCommand command, RespValue answer) {
        if (command.name().equals("CLIENT") && command.word(0).equals("ID") && answer instanceof Int id) {
            return id.value();
        }
        List<Entry> entries = command.name().equals("HELLO") ? entries(answer) : List.of();
        return entries.stream()
                .filter(entry -> entry.key().equals(bulk("id")) && entry.value() instanceof Int)
                .mapToLong(entry -> ((Int) entry.value()).value())
                .findFirst()
                .orElse(0);
    }

    private static List<Entry> entries(@Nullable RespValue greeting) {
        if (greeting instanceof Mapping mapping) {
            return mapping.entries();
        }
        List<RespValue> items = greeting instanceof RespValue.Array array ? array.items() : null;
        return items == null ? List.of() : paired(items);
    }

    /**
     * What Redis would say.
     *
     * @param session as it is before the command
     * @param client the connection's own id
     * @param greeting how production's server greeted last in this version of the protocol, or in another one; null if
     *     that isn't known
     */
    static RespValue answer(
            RedisCommand command, RedisUpstreamSession session, long client, @Nullable RespValue greeting) {
        if (!complete(command)) {
            return new RespValue.SimpleError(
                    "ERR wrong number of arguments for '" + command.name().toLowerCase(Locale.ROOT) + "' command");
        }
        return switch (command.name()) {
            case "PING" -> ping(command, session);
            case "ECHO" -> new Bulk(command.arguments().get(0));
            case "RESET" -> new Simple("RESET");
            case "HELLO" -> hello(command, session, client, greeting);
            case "CLIENT" -> client(command, session, client);
            default -> OK;
        };
    }

    private static boolean complete(RedisCommand command) {
        int arguments = command.arguments().size();
        return switch (command.name()) {
            case "PING" -> arguments <= 1;
            case "ECHO", "SELECT" -> arguments == 1;
            case "AUTH" -> arguments == 1 || arguments == 2;
            case "WATCH" -> arguments > 0;
            case "ASKING", "READONLY", "READWRITE", "RESET", "UNWATCH" -> arguments == 0;
            default -> true;
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

    private static RespValue client(RedisCommand command, RedisUpstreamSession session, long client) {
        return switch (command.word(0)) {
            case "ID" -> new Int(client);
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
            RedisCommand command, RedisUpstreamSession session, long client, @Nullable RespValue greeting) {
        String version = command.arguments().isEmpty() ? Integer.toString(session.version()) : command.text(0);
        if (!version.matches("-?\\d{1,18}")) {
            return new RespValue.SimpleError("ERR Protocol version is not an integer or out of range");
        }
        if (!version.equals("2") && !version.equals("3")) {
            return new RespValue.SimpleError("NOPROTO unsupported protocol version");
        }
        Map<RespValue, RespValue> own =
                Map.of(bulk("id"), new Int(client), bulk("proto"), new Int(version.equals("3") ? 3 : 2));
        List<Entry> known = entries(greeting);
        List<Entry> entries = (known.isEmpty() ? MADE_UP : known)
                .stream()
                        .map(entry -> new Entry(entry.key(), own.getOrDefault(entry.key(), entry.value())))
                        .toList();
        return version.equals("3") ? new Mapping(entries) : flat(entries);
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
