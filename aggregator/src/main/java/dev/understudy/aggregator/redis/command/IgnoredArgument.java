package dev.understudy.aggregator.redis.command;

import dev.understudy.divergence.wire.redis.RedisCommand;
import java.util.BitSet;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An argument of a command that doesn't count for its form.
 *
 * @param command in capitals
 * @param index from 0
 * @param andRest whether those that follow it don't count either
 */
public record IgnoredArgument(String command, int index, boolean andRest) {
    private static final Pattern WRITTEN = Pattern.compile("([A-Za-z.]{1,40}) ([1-9][0-9]{0,3})(\\+?)");

    /**
     * Reads {@code PUBLISH 2}, or {@code XADD 3+} for the third and all that follow.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static IgnoredArgument of(String written) {
        Matcher matcher = WRITTEN.matcher(written);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(written);
        }
        String name = matcher.group(1).toUpperCase(Locale.ROOT);
        return new IgnoredArgument(
                name, Integer.parseInt(matcher.group(2)) - 1, !matcher.group(3).isEmpty());
    }

    void mark(RedisCommand asked, BitSet ignored) {
        if (asked.name().equals(command)) {
            ignored.set(index, andRest ? Math.max(index, asked.arguments().size()) : index + 1);
        }
    }

    @Override
    public String toString() {
        return command + " " + (index + 1) + (andRest ? "+" : "");
    }
}
