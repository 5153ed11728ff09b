package dev.understudy.divergence.wire.postgres.value;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The setting {@code TimeZone} as Java's zone. */
final class TimeZones {
    /**
     * POSIX: the sign counts to the west, so {@code GMT-3} is three hours east. {@code <+03>-03} is how it is shown.
     */
    private static final Pattern POSIX = Pattern.compile("(?:[A-Za-z]{3,}|<[^>]*>)([+-]?)(\\d{1,2})(?::(\\d\\d))?");

    private TimeZones() {}

    /** Throws an unchecked exception for a name that neither Java nor POSIX knows. */
    static ZoneId named(String name) {
        Matcher posix = POSIX.matcher(name);
        if (!posix.matches()) {
            return ZoneId.of(name);
        }
        String minutes = posix.group(3);
        int seconds = Integer.parseInt(posix.group(2)) * 3600 + (minutes == null ? 0 : Integer.parseInt(minutes) * 60);
        return ZoneOffset.ofTotalSeconds("-".equals(posix.group(1)) ? seconds : -seconds);
    }
}
