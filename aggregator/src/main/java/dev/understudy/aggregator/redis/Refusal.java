package dev.understudy.aggregator.redis;

import dev.understudy.divergence.wire.redis.RespValue;
import java.util.Locale;

/** What a server's error says that the recording has to know. */
final class Refusal {
    private Refusal() {}

    /**
     * Whether a command that turns replies off was refused: then replies come that nobody expects, and those that
     * follow would be taken for others'.
     */
    static boolean ofSilence(RespValue value) {
        return value instanceof RespValue.SimpleError error
                && (error.message().startsWith("NOPERM")
                        || error.message().startsWith("NOAUTH")
                        || error.message().toLowerCase(Locale.ROOT).startsWith("err unknown"));
    }
}
