package dev.understudy.divergence.wire.postgres.value;

import java.util.Locale;
import java.util.Map;

/**
 * The settings of a session that decide how its server writes values as text.
 *
 * @param timeZone the setting {@code TimeZone}
 * @param isoDates whether {@code DateStyle} is ISO; other styles are not written here
 * @param hexBytes whether {@code bytea_output} is {@code hex}
 * @param exactFloats whether {@code extra_float_digits} is above 0, the default since PostgreSQL 12
 * @param postgresIntervals whether {@code IntervalStyle} is {@code postgres}; other styles are not written here
 */
public record TextStyle(
        String timeZone, boolean isoDates, boolean hexBytes, boolean exactFloats, boolean postgresIntervals) {
    /** A session with the server's defaults, in UTC. */
    public static final TextStyle DEFAULT = new TextStyle("UTC", true, true, true, true);

    /** The style of a session with these settings (names in lower case); defaults where one isn't known. */
    public static TextStyle of(Map<String, String> settings) {
        return new TextStyle(
                settings.getOrDefault("timezone", DEFAULT.timeZone),
                settings.getOrDefault("datestyle", "ISO")
                        .toUpperCase(Locale.ROOT)
                        .startsWith("ISO"),
                settings.getOrDefault("bytea_output", "hex").equalsIgnoreCase("hex"),
                exact(settings.getOrDefault("extra_float_digits", "1")),
                settings.getOrDefault("intervalstyle", "postgres").equalsIgnoreCase("postgres"));
    }

    private static boolean exact(String digits) {
        return digits.equals("1") || digits.equals("2") || digits.equals("3");
    }
}
