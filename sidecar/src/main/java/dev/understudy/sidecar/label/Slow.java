package dev.understudy.sidecar.label;

import dev.understudy.relay.config.Value;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * From which time on an exchange of the debug JVM is a slow one.
 *
 * @param time a fixed time; zero if it isn't that
 * @param percentile of the times of its route up to now; 0 if it isn't that
 */
public record Slow(Duration time, double percentile) {
    /** No exchange is. */
    public static final Slow NEVER = new Slow(Duration.ZERO, 0);

    private static final String NONE = "never";
    private static final Pattern PERCENTILE = Pattern.compile("p(\\d{2}(?:\\.\\d{1,3})?)");

    /** From a fixed time on. */
    public static Slow from(Duration time) {
        return new Slow(time, 0);
    }

    /**
     * Reads {@code never}, a time such as {@code 250ms}, or a percentile such as {@code p99.9}.
     *
     * @throws IllegalArgumentException if it is none of them
     */
    public static Slow of(String text) {
        if (text.equals(NONE)) {
            return NEVER;
        }
        return text.startsWith("p")
                ? percentile(text)
                : from(Value.duration().parse().apply(text));
    }

    /**
     * Reads a percentile, {@code p99} or {@code p99.9}.
     *
     * @throws IllegalArgumentException if it isn't one from p50 on
     */
    public static Slow percentile(String text) {
        Matcher percentile = PERCENTILE.matcher(text);
        if (!percentile.matches() || Double.parseDouble(percentile.group(1)) < 50) {
            throw new IllegalArgumentException(text);
        }
        return new Slow(Duration.ZERO, Double.parseDouble(percentile.group(1)));
    }

    boolean holds(ExchangeOutcome ending, Times times) {
        Double millis = ending.debugMillis();
        if (millis == null) {
            return false;
        }
        return percentile > 0 ? times.isAbove(ending, percentile) : !time.isZero() && millis >= time.toNanos() / 1e6;
    }

    /** As {@link #of} reads it. */
    @Override
    public String toString() {
        if (percentile > 0) {
            return "p" + BigDecimal.valueOf(percentile).stripTrailingZeros().toPlainString();
        }
        return time.isZero() ? NONE : time.toMillis() + "ms";
    }
}
