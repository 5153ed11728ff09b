package dev.understudy.aggregator.redis;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.aggregator.redis.command.RedisRule;
import dev.understudy.divergence.wire.redis.RedisCommand;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * The rule by which two Redis requests count as the same: what their connections have agreed on ({@link Agreed}),
 * command and all arguments, byte by byte, but for what a {@link RedisRule} leaves out; for a transaction those of all
 * its commands, in order, and of the keys that it watches.
 *
 * <p>Argument bytes count in full and are shown clipped; commands that carry credentials show their name only.
 */
final class RedisForms {
    private static final int SHOWN_BYTES = 48;
    private static final byte[] NOTHING = new byte[0];
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

    static Form of(RedisCommand command, Agreed agreed, RedisRule rule) {
        List<byte[]> parts = parts(agreed);
        add(command, rule, parts);
        Form form = Form.of(command.name(), text(command) + agreed.text(), parts.toArray(byte[][]::new));
        return READS.contains(command.name()) ? form.asRepeatable() : form;
    }

    /** @param watched the keys whose change makes the transaction fail */
    static Form of(List<RedisCommand> transaction, List<byte[]> watched, Agreed agreed, RedisRule rule) {
        List<byte[]> parts = parts(agreed);
        StringBuilder text = new StringBuilder();
        if (!watched.isEmpty()) {
            RedisCommand watch = new RedisCommand("WATCH", watched);
            add(watch, rule, parts);
            text.append(text(watch)).append("; ");
        }
        text.append("MULTI");
        for (RedisCommand command : transaction) {
            add(command, rule, parts);
            if (text.length() < Form.MAX_TEXT) {
                text.append("; ").append(text(command));
            }
        }
        text.append("; EXEC").append(agreed.text());
        return Form.of("EXEC", text.toString(), parts.toArray(byte[][]::new));
    }

    private static List<byte[]> parts(Agreed agreed) {
        List<byte[]> parts = new ArrayList<>();
        parts.add(agreed.part());
        return parts;
    }

    /**
     * The number of words comes first, so that no two transactions run into each other; then which of them don't count.
     */
    private static void add(RedisCommand command, RedisRule rule, List<byte[]> parts) {
        if (command.hash().length > 0) {
            // What the rule leaves out counts, too: where it stands isn't known.
            parts.add("long".getBytes(StandardCharsets.UTF_8));
            parts.add(command.name().getBytes(StandardCharsets.ISO_8859_1));
            parts.add(command.hash());
            return;
        }
        int size = command.arguments().size();
        if (rule.complete()) {
            parts.add(Integer.toString(size).getBytes(StandardCharsets.US_ASCII));
            parts.add(command.name().getBytes(StandardCharsets.ISO_8859_1));
            parts.addAll(command.arguments());
            return;
        }
        BitSet ignored = rule.ignored(command);
        List<String> beginnings = rule.beginnings(command);
        String counted = ignored.isEmpty() && beginnings.isEmpty() ? "" : " " + ignored + beginnings;
        parts.add((size + counted).getBytes(StandardCharsets.UTF_8));
        parts.add(command.name().getBytes(StandardCharsets.ISO_8859_1));
        for (int i = 0; i < size; i++) {
            boolean whole = !ignored.get(i)
                    && (beginnings.isEmpty() || beginnings.get(i).isEmpty());
            parts.add(whole ? command.arguments().get(i) : NOTHING);
        }
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
        return command.hash().length > 0 ? text.append(" …").toString() : text.toString();
    }

    private static String printable(byte[] bytes) {
        String text = Form.line(new String(bytes, 0, Math.min(bytes.length, SHOWN_BYTES), StandardCharsets.UTF_8));
        return bytes.length > SHOWN_BYTES ? text + "…(" + bytes.length + " bytes)" : text;
    }
}
