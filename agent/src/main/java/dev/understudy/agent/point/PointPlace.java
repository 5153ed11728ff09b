package dev.understudy.agent.point;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where in a method: at its entry, its exits, when it throws, or at a line; or wherever a field is used. Immutable. */
final class PointPlace {
    /** The parts of a method. */
    enum At {
        ENTRY,
        EXIT,
        THROW,
        LINE,
        /** Wherever a field is read. */
        READS,
        /** Wherever it is written. */
        WRITES,
        /** Wherever it is read or written. */
        BOTH
    }

    private static final Pattern LINE = Pattern.compile("line:([1-9]\\d{0,6})");

    final At at;
    /** 0 if it isn't a line. */
    final int line;

    private PointPlace(At at, int line) {
        this.at = at;
        this.line = line;
    }

    /**
     * {@code entry}, {@code exit}, {@code throw} or {@code line:42}; of a field {@code reads}, {@code writes} or
     * {@code both}.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static PointPlace of(String text) {
        Matcher line = LINE.matcher(text);
        if (line.matches()) {
            return new PointPlace(At.LINE, Integer.parseInt(line.group(1)));
        }
        switch (text) {
            case "entry":
                return new PointPlace(At.ENTRY, 0);
            case "exit":
                return new PointPlace(At.EXIT, 0);
            case "throw":
                return new PointPlace(At.THROW, 0);
            case "reads":
                return new PointPlace(At.READS, 0);
            case "writes":
                return new PointPlace(At.WRITES, 0);
            case "both":
                return new PointPlace(At.BOTH, 0);
            default:
                throw new IllegalArgumentException("at: " + text + " (expected: entry, exit, throw or line:42)");
        }
    }

    /** Whether it is a field's. */
    boolean isOfField() {
        return at == At.READS || at == At.WRITES || at == At.BOTH;
    }

    @Override
    public String toString() {
        return at == At.LINE ? "line " + line : at.name().toLowerCase(Locale.ROOT);
    }
}
