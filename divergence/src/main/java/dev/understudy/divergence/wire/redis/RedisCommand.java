package dev.understudy.divergence.wire.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A command: its name in capitals and its arguments as sent. The arrays are shared, not copied: leave them unchanged.
 *
 * @param name the first word; e.g. {@code GET}
 * @param arguments what follows it, or the beginning of that if {@code hash} isn't empty
 * @param hash of the whole command as it was sent, if that is too long to be held; else empty
 */
public record RedisCommand(String name, List<byte[]> arguments, byte[] hash) {
    private static final byte[] NONE = {};
    private static final long PER_COMMAND = 120;

    /** An array's head, and its place in a list. */
    private static final long PER_ARGUMENT = 28;

    private static final Set<String> UNPAIRING = Set.of(
            "MONITOR",
            "PSUBSCRIBE",
            "PSYNC",
            "PUNSUBSCRIBE",
            "SSUBSCRIBE",
            "SUBSCRIBE",
            "SUNSUBSCRIBE",
            "SYNC",
            "UNSUBSCRIBE");

    /** A command that is all here. */
    public RedisCommand(String name, List<byte[]> arguments) {
        this(name, arguments, NONE);
    }

    /** The same, which goes on in ways of which this hash is known. */
    public RedisCommand goesOn(byte[] known) {
        return new RedisCommand(name, arguments, known);
    }

    /** Reads a command from what a client sent; null if it isn't one, or an empty one, which Redis ignores. */
    public static @Nullable RedisCommand of(RespValue value) {
        if (value instanceof RespValue.Inline inline) {
            return of(inline.words());
        }
        List<RespValue> items = value instanceof RespValue.Array array ? array.items() : null;
        if (items == null) {
            return null;
        }
        List<byte[]> words = new ArrayList<>(items.size());
        for (RespValue item : items) {
            if (!(item instanceof RespValue.Bulk bulk) || bulk.bytes() == null) {
                return null;
            }
            words.add(bulk.bytes());
        }
        return of(words);
    }

    /** The command of those words; null if there are none. */
    public static @Nullable RedisCommand of(List<byte[]> words) {
        return words.isEmpty()
                ? null
                : new RedisCommand(upper(words.get(0)), List.copyOf(words.subList(1, words.size())));
    }

    /** Whether after this command it no longer holds that each command has one reply. */
    public boolean unpairs() {
        return UNPAIRING.contains(name) || (name.equals("CLIENT") && word(0).equals("REPLY"));
    }

    /** Bytes of the name and the arguments that are here. */
    public long bytes() {
        long bytes = (long) name.length() + hash.length;
        for (byte[] argument : arguments) {
            bytes += argument.length;
        }
        return bytes;
    }

    /** Memory that the command takes. */
    public long memory() {
        return bytes() + PER_COMMAND + PER_ARGUMENT * arguments.size();
    }

    /** An argument in capitals, or {@code ""} if there are fewer: for key words, not for values. */
    public String word(int index) {
        return index >= 0 && index < arguments.size() ? upper(arguments.get(index)) : "";
    }

    /** An argument as it is, or {@code ""} if there are fewer. */
    public String text(int index) {
        return index >= 0 && index < arguments.size() ? new String(arguments.get(index), StandardCharsets.UTF_8) : "";
    }

    private static String upper(byte[] word) {
        int readable = Math.min(word.length, 64);
        return new String(word, 0, readable, StandardCharsets.ISO_8859_1).toUpperCase(Locale.ROOT);
    }
}
