package dev.understudy.divergence.content;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.TemporalAccessor;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether two different texts are both "now": each a time stamp of the same form that lies within a span
 * of its own.
 */
public final class TimeStamps {
    private static final DateTimeFormatter SHORT_OFFSET = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
            .appendOffset("+HHmm", "Z")
            .toFormatter(java.util.Locale.ROOT);
    private static final int MAX_LENGTH = 64;
    private static final Instant EARLIEST = Instant.parse("2001-09-09T01:46:40Z");
    private static final Instant LATEST = Instant.parse("2050-01-01T00:00:00Z");
    private static final String[] DAYS = {"Mon, ", "Tue, ", "Wed, ", "Thu, ", "Fri, ", "Sat, ", "Sun, "};
    private static final String[] MONTHS = {
        " Jan ", " Feb ", " Mar ", " Apr ", " May ", " Jun ", " Jul ", " Aug ", " Sep ", " Oct ", " Nov ", " Dec "
    };

    private TimeStamps() {}

    /**
     * Of texts: ISO 8601 with offset, zone or neither, HTTP dates, and all that {@link #numbers} knows.
     *
     * @param localZones where a time without a zone may be meant
     */
    public static boolean texts(
            String first, TextSpan firstSpan, String second, TextSpan secondSpan, Set<ZoneId> localZones) {
        if (first.length() > MAX_LENGTH || second.length() > MAX_LENGTH || first.length() < 10) {
            return false;
        }
        Instant httpDate = httpDate(first);
        if (httpDate != null) {
            Instant other = httpDate(second);
            return other != null && firstSpan.contains(httpDate) && secondSpan.contains(other);
        }
        TemporalAccessor one = iso(first);
        TemporalAccessor two = iso(second);
        if (one instanceof ZonedDateTime a && two instanceof ZonedDateTime b) {
            return a.getZone().equals(b.getZone())
                    && firstSpan.contains(a.toInstant())
                    && secondSpan.contains(b.toInstant());
        }
        if (one instanceof LocalDateTime a && two instanceof LocalDateTime b) {
            return localZones.stream()
                    .anyMatch(zone -> firstSpan.contains(a.atZone(zone).toInstant())
                            && secondSpan.contains(b.atZone(zone).toInstant()));
        }
        return numbers(first, firstSpan, second, secondSpan);
    }

    /** Of decimal numbers: seconds (with or without a fraction), milli-, micro- or nanoseconds since 1970. */
    public static boolean numbers(String first, TextSpan firstSpan, String second, TextSpan secondSpan) {
        int digits = integerDigits(first);
        int scale = scale(digits);
        boolean alike = scale == 0 || (first.indexOf('.') < 0) == (second.indexOf('.') < 0);
        if (digits != integerDigits(second) || !alike) { // a fraction of a second may happen to be none
            return false;
        }
        return scale >= 0 && firstSpan.contains(epoch(first, scale)) && secondSpan.contains(epoch(second, scale));
    }

    /** The instant of an HTTP date (RFC 9110, section 5.6.7, preferred form), or null. */
    public static @Nullable Instant httpDate(String text) {
        if (text.length() != 29 || !text.endsWith(" GMT")) {
            return null;
        }
        int day = Arrays.asList(DAYS).indexOf(text.substring(0, 5));
        int month = Arrays.asList(MONTHS).indexOf(text.substring(7, 12));
        int hour = twoDigits(text, 17);
        int minute = twoDigits(text, 20);
        int second = twoDigits(text, 23);
        if (day < 0 || month < 0 || text.charAt(19) != ':' || text.charAt(22) != ':' || text.charAt(16) != ' ') {
            return null;
        }
        int year = twoDigits(text, 12) * 100 + twoDigits(text, 14);
        if (year < 1) {
            return null;
        }
        try {
            LocalDateTime time = LocalDateTime.of(year, month + 1, twoDigits(text, 5), hour, minute, second);
            return time.getDayOfWeek().getValue() == day + 1 ? time.toInstant(ZoneOffset.UTC) : null;
        } catch (DateTimeException e) {
            return null;
        }
    }

    /**
     * A time stamp of any form that {@link #texts} knows.
     *
     * @param form what two of the same form have in common: how the zone or the unit is written
     */
    public record Stamp(Instant at, String form) {}

    /**
     * What the text says; null if it is no time stamp. A time without a zone is read as UTC, a number from 2001 to 2050
     * as one since 1970.
     */
    public static @Nullable Stamp stamp(String text) {
        if (text.length() > MAX_LENGTH) {
            return null;
        }
        Instant http = httpDate(text);
        if (http != null) {
            return new Stamp(http, "http");
        }
        TemporalAccessor read = iso(text);
        if (read instanceof ZonedDateTime zoned) {
            return new Stamp(zoned.toInstant(), zoned.getZone().getId());
        }
        if (read instanceof LocalDateTime local) {
            return new Stamp(local.toInstant(ZoneOffset.UTC), "local");
        }
        int digits = integerDigits(text);
        int scale = scale(digits);
        if (scale < 0) {
            return null;
        }
        Instant at = epoch(text, scale);
        return at.isBefore(EARLIEST) || at.isAfter(LATEST) ? null : new Stamp(at, digits + " digits");
    }

    /** Far below any year if there are none. */
    private static int twoDigits(String text, int at) {
        int tens = text.charAt(at) - '0';
        int ones = text.charAt(at + 1) - '0';
        return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1_000_000 : 10 * tens + ones;
    }

    private static @Nullable TemporalAccessor iso(String text) {
        if (text.length() < 19 || text.charAt(4) != '-' || (text.charAt(10) != 'T' && text.charAt(10) != ' ')) {
            return null;
        }
        String withT = text.substring(0, 10) + 'T' + text.substring(11);
        if (text.length() > 19 && text.charAt(19) == ',') { // a fraction, ISO 8601 and most logs
            withT = withT.substring(0, 19) + '.' + withT.substring(20);
        }
        try {
            return DateTimeFormatter.ISO_DATE_TIME.parseBest(withT, ZonedDateTime::from, LocalDateTime::from);
        } catch (DateTimeException e) {
            try {
                return SHORT_OFFSET.parse(withT, OffsetDateTime::from).toZonedDateTime();
            } catch (DateTimeException e2) {
                return null;
            }
        }
    }

    /** How many digits stand before the point, or -1 if that isn't a plain number with at most nine after it. */
    private static int integerDigits(String text) {
        int point = text.indexOf('.');
        int end = point < 0 ? text.length() : point;
        for (int i = 0; i < text.length(); i++) {
            if (i != point && (text.charAt(i) < '0' || text.charAt(i) > '9')) {
                return -1;
            }
        }
        return end > 19 || text.length() - end > 10 ? -1 : end;
    }

    /** The unit of a number since 1970, as a power of ten of a second; -1 if it has another number of digits. */
    private static int scale(int integerDigits) {
        return switch (integerDigits) {
            case 10 -> 0;
            case 13 -> 3;
            case 16 -> 6;
            case 19 -> 9;
            default -> -1;
        };
    }

    private static Instant epoch(String number, int scale) {
        BigDecimal seconds = new BigDecimal(number).movePointLeft(scale);
        long whole = seconds.longValue();
        return Instant.ofEpochSecond(
                whole,
                seconds.subtract(BigDecimal.valueOf(whole)).movePointRight(9).longValue());
    }
}
