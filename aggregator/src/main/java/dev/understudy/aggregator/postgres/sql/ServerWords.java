package dev.understudy.aggregator.postgres.sql;

import java.time.ZoneId;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How the server words a setting that it reports to its clients, however it was set: {@code German, DMY} for
 * {@code german} (server manual, "Client Connection Defaults" and "Date/Time Types"). Names of settings in lower case.
 */
public final class ServerWords {
    /** NAMEDATALEN less one. */
    private static final int LONGEST_NAME = 63;

    private static final Pattern PRINTABLE = Pattern.compile("[ -~]*");
    private static final Pattern HOURS = Pattern.compile("([+-]?)(\\d{1,2})(?:\\.(\\d{1,4}))?");
    private static final Pattern INTERVAL =
            Pattern.compile("INTERVAL\\s*'([+-]?)(\\d{1,2}):(\\d\\d)'.*", Pattern.CASE_INSENSITIVE);
    private static final Pattern POSIX =
            Pattern.compile("[A-Z]{3,}[+-]?\\d{1,2}(?:[A-Z]{3,})?|<[+-]\\d\\d(?::\\d\\d)?>[+-]\\d\\d(?::\\d\\d)?");

    private static final Map<String, String> DATE_STYLES =
            Map.of("iso", "ISO", "sql", "SQL", "postgres", "Postgres", "german", "German");
    private static final Map<String, String> DATE_ORDERS = Map.of(
            "ymd",
            "YMD",
            "dmy",
            "DMY",
            "euro",
            "DMY",
            "european",
            "DMY",
            "mdy",
            "MDY",
            "us",
            "MDY",
            "noneuro",
            "MDY",
            "noneuropean",
            "MDY");
    private static final Set<String> INTERVAL_STYLES =
            Set.of("postgres", "postgres_verbose", "sql_standard", "iso_8601");
    private static final Map<String, String> ENCODINGS = Map.of(
            "utf8",
            "UTF8",
            "unicode",
            "UTF8",
            "latin1",
            "LATIN1",
            "iso88591",
            "LATIN1",
            "latin9",
            "LATIN9",
            "iso885915",
            "LATIN9",
            "sqlascii",
            "SQL_ASCII",
            "win1252",
            "WIN1252",
            "windows1252",
            "WIN1252");
    private static final Map<String, String> ZONES = zones();

    private ServerWords() {}

    /**
     * The server's words for a value; null if they aren't known.
     *
     * @param written as it was set, without quotes
     * @param before the words for the value that the session had; null if they aren't known
     */
    public static @Nullable String of(String name, String written, @Nullable String before) {
        String lower = written.toLowerCase(Locale.ROOT);
        return switch (name) {
            case "application_name" ->
                PRINTABLE.matcher(written).matches()
                        ? written.substring(0, Math.min(LONGEST_NAME, written.length()))
                        : null;
            case "client_encoding" -> ENCODINGS.get(lower.replaceAll("[^a-z0-9]", ""));
            case "datestyle" -> dateStyle(lower, before);
            case "intervalstyle" -> INTERVAL_STYLES.contains(lower) ? lower : null;
            case "standard_conforming_strings" -> flag(lower);
            case "timezone" -> zone(written);
            default -> null;
        };
    }

    /** One of several words may be missing: it stays as it was, but for the style that has an order of its own. */
    private static @Nullable String dateStyle(String written, @Nullable String before) {
        String[] parts = before == null ? new String[0] : before.split(", ", -1);
        String style = parts.length == 2 ? parts[0] : null;
        String order = parts.length == 2 ? parts[1] : null;
        boolean ordered = false;
        for (String quoted : written.split(",", -1)) {
            String word = quoted.strip().replaceAll("^[\"']|[\"']$", "");
            if (DATE_ORDERS.containsKey(word)) {
                order = DATE_ORDERS.get(word);
                ordered = true;
            } else if (DATE_STYLES.containsKey(word)) {
                style = DATE_STYLES.get(word);
                order = word.equals("german") && !ordered ? "DMY" : order;
            } else {
                return null;
            }
        }
        return style == null || order == null ? null : style + ", " + order;
    }

    private static @Nullable String flag(String written) {
        if (written.isEmpty() || written.equals("o")) {
            return null;
        }
        boolean on =
                written.equals("1") || written.equals("on") || "true".startsWith(written) || "yes".startsWith(written);
        boolean off = written.equals("0")
                || "off".startsWith(written)
                || "false".startsWith(written)
                || "no".startsWith(written);
        return on ? "on" : off ? "off" : null;
    }

    private static @Nullable String zone(String written) {
        Matcher hours = HOURS.matcher(written);
        if (hours.matches()) {
            String fraction = hours.group(3) == null ? "0" : hours.group(3);
            double minutes = Double.parseDouble("0." + fraction) * 60;
            return minutes == Math.rint(minutes)
                    ? fixed(hours.group(1), Integer.parseInt(hours.group(2)), (int) minutes)
                    : null;
        }
        Matcher interval = INTERVAL.matcher(written);
        if (interval.matches()) {
            return fixed(interval.group(1), Integer.parseInt(interval.group(2)), Integer.parseInt(interval.group(3)));
        }
        String known = ZONES.get(written.toLowerCase(Locale.ROOT));
        return known != null || !POSIX.matcher(written).matches() ? known : written;
    }

    /** POSIX counts to the west. */
    private static String fixed(String sign, int hours, int minutes) {
        String offset = String.format(Locale.ROOT, "%02d", hours)
                + (minutes == 0 ? "" : String.format(Locale.ROOT, ":%02d", minutes));
        return sign.equals("-") ? "<-" + offset + ">+" + offset : "<+" + offset + ">-" + offset;
    }

    private static Map<String, String> zones() {
        Map<String, String> zones = new TreeMap<>();
        for (String id : ZoneId.getAvailableZoneIds()) {
            if (!id.startsWith("SystemV/")) {
                zones.put(id.toLowerCase(Locale.ROOT), id);
            }
        }
        for (String id : Set.of("EST", "MST", "HST")) {
            zones.put(id.toLowerCase(Locale.ROOT), id);
        }
        return zones;
    }
}
