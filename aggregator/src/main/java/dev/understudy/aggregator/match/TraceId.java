package dev.understudy.aggregator.match;

import org.jspecify.annotations.Nullable;

/** The 128 bits that all calls of one trace share (W3C Trace Context, section 3.2.2.3); never all zero. */
public record TraceId(long high, long low) implements Comparable<TraceId> {
    private static final int LENGTH = 55;

    /** Reads a {@code traceparent}; null if it is none, or of a version whose trace id can't be told. */
    public static @Nullable TraceId ofTraceparent(@Nullable CharSequence value) {
        if (value == null || value.length() < LENGTH || value.charAt(2) != '-' || value.charAt(35) != '-') {
            return null;
        }
        boolean later =
                value.length() > LENGTH && value.charAt(LENGTH) == '-' && !"00".contentEquals(value.subSequence(0, 2));
        if ((value.length() > LENGTH && !later) || "ff".contentEquals(value.subSequence(0, 2))) {
            return null;
        }
        return of(value.subSequence(3, 35));
    }

    /** Reads 32 hex digits in lower case; null if they are none, or all zero. */
    public static @Nullable TraceId of(CharSequence hex) {
        if (hex.length() != 32) {
            return null;
        }
        long high = 0;
        long low = 0;
        for (int i = 0; i < 32; i++) {
            int digit = digit(hex.charAt(i));
            if (digit < 0) {
                return null;
            }
            high = i < 16 ? high << 4 | digit : high;
            low = i < 16 ? low : low << 4 | digit;
        }
        return high == 0 && low == 0 ? null : new TraceId(high, low);
    }

    @Override
    public int compareTo(TraceId other) {
        int byHigh = Long.compare(high, other.high);
        return byHigh != 0 ? byHigh : Long.compare(low, other.low);
    }

    @Override
    public String toString() {
        return "%016x%016x".formatted(high, low);
    }

    private static int digit(char c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    }
}
