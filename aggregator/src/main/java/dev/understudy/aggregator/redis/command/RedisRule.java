package dev.understudy.aggregator.redis.command;

import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.divergence.wire.redis.RedisKeys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What of a Redis command counts for its form: its name and all its arguments, but for what is left out here.
 * Immutable.
 *
 * @param ignoreArguments single arguments that don't count
 * @param ignoreTtl whether times to live, and times of expiry, don't count
 * @param ignoreKeys beginnings of keys whose rest doesn't count
 */
public record RedisRule(List<IgnoredArgument> ignoreArguments, boolean ignoreTtl, List<String> ignoreKeys) {
    /** Everything counts. */
    public static final RedisRule DEFAULT = new RedisRule(List.of(), false, List.of());

    public RedisRule {
        ignoreArguments = List.copyOf(ignoreArguments);
        ignoreKeys = List.copyOf(ignoreKeys);
    }

    /** Whether nothing of any command is left out. */
    public boolean complete() {
        return ignoreArguments.isEmpty() && !ignoreTtl && ignoreKeys.isEmpty();
    }

    /** The arguments that don't count at all, by their index from 0. */
    public BitSet ignored(RedisCommand command) {
        BitSet ignored = new BitSet();
        int size = command.arguments().size();
        for (IgnoredArgument argument : ignoreArguments) {
            argument.mark(command, ignored);
        }
        if (ignoreTtl) {
            Expiry.mark(command, ignored);
        }
        if (ignored.length() > size) {
            ignored.clear(size, ignored.length());
        }
        return ignored;
    }

    /**
     * For each argument that is a key and begins as in {@code ignoreKeys}: that beginning; {@code ""} for the others,
     * and nothing if all are.
     */
    public List<String> beginnings(RedisCommand command) {
        if (ignoreKeys.isEmpty()) {
            return List.of();
        }
        List<byte[]> keys = RedisKeys.of(command);
        List<String> beginnings = new ArrayList<>();
        for (byte[] argument : command.arguments()) {
            boolean key = keys.stream().anyMatch(one -> one == argument);
            beginnings.add(key ? beginning(argument) : "");
        }
        return beginnings.stream().allMatch(String::isEmpty) ? List.of() : beginnings;
    }

    /** The rule in one line for people. */
    public String text() {
        StringBuilder text = new StringBuilder("command; arguments");
        if (!ignoreArguments.isEmpty()) {
            text.append(" without ")
                    .append(ignoreArguments.stream()
                            .map(IgnoredArgument::toString)
                            .collect(Collectors.joining(", ")));
        }
        if (ignoreTtl) {
            text.append(", without times to live");
        }
        if (!ignoreKeys.isEmpty()) {
            text.append("; of keys like ")
                    .append(ignoreKeys.stream().map(key -> key + "*").collect(Collectors.joining(", ")))
                    .append(" only so much");
        }
        return text.toString();
    }

    private String beginning(byte[] key) {
        String name = new String(key, StandardCharsets.UTF_8);
        return ignoreKeys.stream().filter(name::startsWith).findFirst().orElse("");
    }
}
