package dev.understudy.sidecar.inbound;

import java.io.IOException;
import java.net.ConnectException;
import org.slf4j.event.Level;

/** How the link to the aggregator stands, and what the log says when that changes. */
public enum LinkState {
    /** Nothing was sent yet. */
    STARTING(Level.DEBUG, ""),
    /** The aggregator has never answered, which is usual while programs start. */
    AWAITED(
            Level.INFO,
            "the aggregator at %s doesn't answer yet (%s). This is normal while it starts: the sidecar tries again"
                    + " every second"),
    UP(Level.INFO, "the aggregator at %s now receives which requests are being served"),
    /** It answered before, and doesn't any more. */
    DOWN(
            Level.WARN,
            "the aggregator at %s doesn't answer any more (%s): until it does, recorded replies are matched without"
                    + " knowing the inbound requests"),
    /** It answers, but takes nothing. */
    REFUSED(
            Level.WARN,
            "the aggregator at %s refuses to receive which requests are being served (%s): check aggregator.url and its"
                    + " token");

    private final Level level;
    private final String words;

    LinkState(Level level, String words) {
        this.level = level;
        this.words = words;
    }

    /** What it is after a message that didn't reach the aggregator. */
    LinkState unreachable() {
        return this == STARTING || this == AWAITED ? AWAITED : DOWN;
    }

    Level level() {
        return level;
    }

    /** The line for the log. */
    String words(String url, String why) {
        return words.formatted(url, why);
    }

    /** Why nothing was sent; an exception has no text of its own where nobody listens. */
    public static String words(IOException unreachable) {
        for (Throwable cause = unreachable; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException && cause.getMessage() == null) {
                return "nobody accepts connections there";
            } else if (cause.getMessage() != null && !cause.getMessage().isBlank()) {
                return cause.getMessage();
            }
        }
        return unreachable.getClass().getSimpleName();
    }
}
