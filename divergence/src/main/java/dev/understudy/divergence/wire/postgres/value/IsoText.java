package dev.understudy.divergence.wire.postgres.value;

import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes PostgreSQL's ISO dates and times, e.g. {@code 0044-03-15 12:00:00.25+00:53:28 BC}.
 *
 * @param date 2000-01-01 for a mere time
 * @param micros microseconds since midnight, up to and including 24 hours
 */
record IsoText(LocalDate date, long micros, ZoneOffset offset) {
    private static final String DAY = "(\\d{4,7})-(\\d\\d)-(\\d\\d)";
    private static final String CLOCK = "(\\d\\d):(\\d\\d):(\\d\\d)(?:\\.(\\d{1,6}))?";
    private static final String OFFSET = "([+-])(\\d\\d)(?::?(\\d\\d))?(?::?(\\d\\d))?";
    private static final Pattern DATE = Pattern.compile(DAY + "( BC)?");
    private static final Pattern TIME = Pattern.compile(CLOCK);
    private static final Pattern TIME_OFFSET = Pattern.compile(CLOCK + OFFSET);
    private static final Pattern STAMP = Pattern.compile(DAY + "[ T]" + CLOCK + "( BC)?");
    private static final Pattern STAMP_OFFSET = Pattern.compile(DAY + "[ T]" + CLOCK + "(?:" + OFFSET + "|Z)( BC)?");
    private static final LocalDate NO_DATE = LocalDate.of(2000, 1, 1);

    static IsoText day(String text) {
        Matcher match = match(DATE, text);
        return new IsoText(date(match, match.group(4)), 0, ZoneOffset.UTC);
    }

    static IsoText time(String text, boolean withOffset) {
        Matcher match = match(withOffset ? TIME_OFFSET : TIME, text);
        return new IsoText(NO_DATE, micros(match, 1), withOffset ? offset(match, 5) : ZoneOffset.UTC);
    }

    static IsoText stamp(String text, boolean withOffset) {
        Matcher match = match(withOffset ? STAMP_OFFSET : STAMP, text);
        LocalDate date = date(match, match.group(withOffset ? 12 : 8));
        return new IsoText(date, micros(match, 4), withOffset ? offset(match, 8) : ZoneOffset.UTC);
    }

    /** The date, what follows it, and {@code BC} where the year is before 1. */
    static String write(LocalDate date, String rest) {
        int year = date.getYear();
        String text = String.format(
                Locale.ROOT,
                "%04d-%02d-%02d%s",
                year > 0 ? year : 1 - year,
                date.getMonthValue(),
                date.getDayOfMonth(),
                rest);
        return year > 0 ? text : text + " BC";
    }

    static String write(LocalTime time) {
        String text = String.format(Locale.ROOT, "%02d:%02d:%02d", time.getHour(), time.getMinute(), time.getSecond());
        int micros = time.getNano() / 1000;
        return micros == 0 ? text : text + fraction(micros);
    }

    /** The six digits of a fraction without the zeros at their end, after a point. */
    static String fraction(int micros) {
        String digits = String.format(Locale.ROOT, ".%06d", micros);
        int end = digits.length();
        while (digits.charAt(end - 1) == '0') {
            end--;
        }
        return digits.substring(0, end);
    }

    static String write(ZoneOffset offset) {
        int seconds = Math.abs(offset.getTotalSeconds());
        String text = (offset.getTotalSeconds() < 0 ? "-" : "+") + two(seconds / 3600);
        if (seconds % 3600 != 0) {
            text += ":" + two(seconds / 60 % 60);
        }
        return seconds % 60 == 0 ? text : text + ":" + two(seconds % 60);
    }

    private static String two(int number) {
        return (number < 10 ? "0" : "") + number;
    }

    private static Matcher match(Pattern pattern, String text) {
        Matcher match = pattern.matcher(text);
        if (!match.matches()) {
            throw new IllegalArgumentException("not of the form " + pattern);
        }
        return match;
    }

    private static LocalDate date(Matcher match, @Nullable String bc) {
        int year = number(match, 1);
        return LocalDate.of(bc == null ? year : 1 - year, number(match, 2), number(match, 3));
    }

    private static long micros(Matcher match, int group) {
        String fraction = match.group(group + 3);
        long micros = fraction == null ? 0 : Long.parseLong((fraction + "000000").substring(0, 6));
        long seconds = (number(match, group) * 60L + number(match, group + 1)) * 60 + number(match, group + 2);
        if (number(match, group + 1) > 59 || number(match, group + 2) > 59 || seconds > 86_400) {
            throw new IllegalArgumentException("not a time");
        }
        return seconds * 1_000_000 + micros;
    }

    private static ZoneOffset offset(Matcher match, int group) {
        if (match.group(group) == null) {
            return ZoneOffset.UTC;
        }
        int seconds = (number(match, group + 1) * 60 + number(match, group + 2)) * 60 + number(match, group + 3);
        return ZoneOffset.ofTotalSeconds(match.group(group).equals("-") ? -seconds : seconds);
    }

    private static int number(Matcher match, int group) {
        String digits = match.group(group);
        return digits == null ? 0 : Integer.parseInt(digits);
    }
}
