package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.journal.Form;
import dev.understudy.divergence.wire.redis.RedisCommand;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The rule by which two Redis requests count as the same: database, protocol version, command and all arguments,
 * byte by byte; for a transaction those of all its commands, in order.
 *
 * <p>Argument bytes count in full and are shown clipped; commands that carry credentials show their name only.
 */
final class RedisForms {
    private static final int SHOWN_BYTES = 48;
    private static final Set<String> SECRET = Set.of("ACL", "AUTH", "CONFIG", "HELLO", "MIGRATE");
    private static final Set<String> READS = Set.of(
            "BITCOUNT",
            "DBSIZE",
            "EXISTS",
            "GET",
            "GETRANGE",
            "HEXISTS",
            "HGET",
            "HGETALL",
            "HKEYS",
            "HLEN",
            "HMGET",
            "HVALS",
            "INFO",
            "KEYS",
            "LINDEX",
            "LLEN",
            "LRANGE",
            "MGET",
            "PTTL",
            "SCARD",
            "SISMEMBER",
            "SMEMBERS",
            "SMISMEMBER",
            "STRLEN",
            "TTL",
            "TYPE",
            "ZCARD",
            "ZCOUNT",
            "ZRANGE",
            "ZRANGEBYSCORE",
            "ZRANK",
            "ZSCORE");

    private RedisForms() {}

    static Form of(RedisCommand command, int database, int version) {
        List<byte[]> parts = parts(database, version);
        add(command, parts);
        Form form = Form.of(command.name(), text(command) + session(database, version), parts.toArray(byte[][]::new));
        return READS.contains(command.name()) ? form.asRepeatable() : form;
    }

    static Form of(List<RedisCommand> transaction, int database, int version) {
        List<byte[]> parts = parts(database, version);
        StringBuilder text = new StringBuilder("MULTI");
        for (RedisCommand command : transaction) {
            add(command, parts);
            if (text.length() < Form.MAX_TEXT) {
                text.append("; ").append(text(command));
            }
        }
        text.append("; EXEC").append(session(database, version));
        return Form.of("EXEC", text.toString(), parts.toArray(byte[][]::new));
    }

    private static List<byte[]> parts(int database, int version) {
        List<byte[]> parts = new ArrayList<>();
        parts.add(new byte[] {(byte) version, (byte) database, (byte) (database >> 8)});
        return parts;
    }

    /** The number of words comes first, so that no two transactions run into each other. */
    private static void add(RedisCommand command, List<byte[]> parts) {
        parts.add(Integer.toString(command.arguments().size()).getBytes(StandardCharsets.US_ASCII));
        parts.add(command.name().getBytes(StandardCharsets.ISO_8859_1));
        parts.addAll(command.arguments());
    }

    private static String session(int database, int version) {
        return (database == 0 ? "" : " [db " + database + "]") + (version == 3 ? " [RESP3]" : "");
    }

    private static String text(RedisCommand command) {
        StringBuilder text = new StringBuilder(printable(command.name().getBytes(StandardCharsets.ISO_8859_1)));
        if (SECRET.contains(command.name())) {
            return text.append(" …").toString();
        }
        for (byte[] argument : command.arguments()) {
            if (text.length() > Form.MAX_TEXT) {
                break;
            }
            text.append(' ').append(printable(argument));
        }
        return text.toString();
    }

    private static String printable(byte[] bytes) {
        String text = new String(bytes, 0, Math.min(bytes.length, SHOWN_BYTES), StandardCharsets.UTF_8)
                .replaceAll("\\p{Cntrl}", ".");
        return bytes.length > SHOWN_BYTES ? text + "…(" + bytes.length + " bytes)" : text;
    }
}
