package dev.understudy.aggregator.redis.command;

import dev.understudy.divergence.wire.redis.RedisCommand;
import java.time.Duration;

/** The commands that a server may leave unanswered for a while, and for how long: their own time-outs. */
public final class BlockingCommands {
    /** Where a command would wait for ever; and no command waits longer. */
    public static final Duration LONGEST = Duration.ofHours(1);

    private BlockingCommands() {}

    /** How long the server may take, by the command's own words; zero if it answers at once. */
    public static Duration patience(RedisCommand command) {
        int last = command.arguments().size() - 1;
        return switch (command.name()) {
            case "BLPOP", "BRPOP", "BZPOPMIN", "BZPOPMAX", "BLMOVE", "BRPOPLPUSH" -> seconds(command.text(last));
            case "BLMPOP", "BZMPOP" -> seconds(command.text(0));
            case "WAIT" -> millis(command.text(1));
            case "WAITAOF" -> millis(command.text(2));
            case "XREAD" -> block(command, 0);
            case "XREADGROUP" -> block(command, 3); // GROUP, and two names
            default -> Duration.ZERO;
        };
    }

    private static Duration block(RedisCommand command, int from) {
        for (int i = from; i < command.arguments().size(); i++) {
            switch (command.word(i)) {
                case "BLOCK" -> {
                    return millis(command.text(i + 1));
                }
                case "STREAMS" -> {
                    return Duration.ZERO;
                }
                default -> {
                    // a count, NOACK
                }
            }
        }
        return Duration.ZERO;
    }

    private static Duration seconds(String text) {
        try {
            double seconds = Double.parseDouble(text);
            return seconds >= 0 && seconds <= LONGEST.toSeconds()
                    ? bounded(Duration.ofMillis((long) (seconds * 1000)), seconds == 0)
                    : seconds > 0 ? LONGEST : Duration.ZERO;
        } catch (NumberFormatException refused) {
            return Duration.ZERO;
        }
    }

    private static Duration millis(String text) {
        try {
            long millis = Long.parseLong(text);
            return millis < 0 ? Duration.ZERO : bounded(Duration.ofMillis(millis), millis == 0);
        } catch (NumberFormatException refused) {
            return Duration.ZERO;
        }
    }

    private static Duration bounded(Duration wanted, boolean forever) {
        return forever || wanted.compareTo(LONGEST) > 0 ? LONGEST : wanted;
    }
}
