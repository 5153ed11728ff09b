package dev.understudy.aggregator.redis.push;

import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.divergence.wire.redis.RespValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a connection subscribes to.
 *
 * @param name each byte as one character
 * @param version of the protocol, which decides how messages are written
 */
public record Topic(Kind kind, String name, int version) {

    /** The topics of messages, and the words that go with them. */
    public enum Kind {
        CHANNEL("SUBSCRIBE", "UNSUBSCRIBE", "message"),
        PATTERN("PSUBSCRIBE", "PUNSUBSCRIBE", "pmessage"),
        SHARD("SSUBSCRIBE", "SUNSUBSCRIBE", "smessage");

        private final String begins;
        private final String ends;
        private final String message;

        Kind(String begins, String ends, String message) {
            this.begins = begins;
            this.ends = ends;
            this.message = message;
        }

        /** What this command begins or ends; null if it is another one. */
        public static @Nullable Kind of(RedisCommand command) {
            for (Kind kind : values()) {
                if (command.name().equals(kind.begins) || command.name().equals(kind.ends)) {
                    return kind;
                }
            }
            return null;
        }

        /** Whether the command is the one of this kind that begins a subscription, rather than ends it. */
        public boolean begunBy(RedisCommand command) {
            return command.name().equals(begins);
        }

        /** The command that begins a subscription. */
        public String word() {
            return begins;
        }
    }

    /** The topic that a message of the server is about; null if it isn't a message. */
    public static @Nullable Topic ofMessage(RespValue said, int version) {
        List<RespValue> items = items(said);
        if (items.size() < 3) {
            return null;
        }
        String word = text(items.get(0));
        for (Kind kind : Kind.values()) {
            if (kind.message.equals(word)) {
                return new Topic(kind, text(items.get(1)), version);
            }
        }
        return null;
    }

    /** Whether the server confirms a command of subscription by this, once for each topic. */
    public static boolean confirms(RespValue said, RedisCommand command) {
        List<RespValue> items = items(said);
        return items.size() == 3 && text(items.get(0)).equals(command.name().toLowerCase(Locale.ROOT));
    }

    /** Whether the server confirms any command of subscription by this. */
    public static boolean confirmsAnything(RespValue.Push said) {
        String word = said.items().isEmpty() ? "" : text(said.items().get(0)).toUpperCase(Locale.ROOT);
        RedisCommand command = new RedisCommand(word, List.of());
        return Kind.of(command) != null;
    }

    /** The topic's name in a confirmation; null if it confirms that there was nothing to end. */
    public static @Nullable String confirmed(RespValue confirmation) {
        RespValue name = items(confirmation).get(1);
        boolean none = name instanceof RespValue.Null || (name instanceof RespValue.Bulk bulk && bulk.bytes() == null);
        return none ? null : text(name);
    }

    /** A name as it stands in a command. */
    public static String name(byte[] argument) {
        return new String(argument, StandardCharsets.ISO_8859_1);
    }

    private static List<RespValue> items(RespValue said) {
        if (said instanceof RespValue.Push push) {
            return push.items();
        }
        List<RespValue> items = said instanceof RespValue.Array array ? array.items() : null;
        return items == null ? List.of() : items;
    }

    private static String text(RespValue item) {
        if (item instanceof RespValue.Bulk bulk && bulk.bytes() != null) {
            return name(bulk.bytes());
        }
        return item instanceof RespValue.Simple simple ? simple.text() : "";
    }
}
