package dev.understudy.divergence.wire.postgres.value;

import dev.understudy.divergence.wire.postgres.PgReader;
import dev.understudy.divergence.wire.postgres.PgWriter;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Dates and times: days or microseconds since 2000-01-01 on the wire, ISO text. The largest and the smallest number
 * stand for {@code infinity} and {@code -infinity}. Both sides use the proleptic Gregorian calendar.
 */
final class Temporals {
    private static final long EPOCH_DAY = LocalDate.of(2000, 1, 1).toEpochDay();
    private static final LocalDateTime EPOCH = LocalDateTime.of(2000, 1, 1, 0, 0);
    private static final long MICROS_PER_DAY = 86_400_000_000L;

    private Temporals() {}

    /** {@code date}. */
    record Day() implements Codec {
        @Override
        public String text(byte[] binary, TextStyle style) {
            iso(style);
            Scalars.expect(binary, 4);
            int days = new PgReader(binary).int32();
            if (days == Integer.MAX_VALUE || days == Integer.MIN_VALUE) {
                return days > 0 ? "infinity" : "-infinity";
            }
            return IsoText.write(LocalDate.ofEpochDay(EPOCH_DAY + days), "");
        }

        @Override
        public byte[] binary(String text, TextStyle style) {
            iso(style);
            return new PgWriter().int32(days(text)).toBytes();
        }

        private static int days(String text) {
            return switch (text) {
                case "infinity" -> Integer.MAX_VALUE;
                case "-infinity" -> Integer.MIN_VALUE;
                default -> Math.toIntExact(IsoText.day(text).date().toEpochDay() - EPOCH_DAY);
            };
        }

        @Override
        public boolean styled() {
            return true;
        }
    }

    /** {@code time}. */
    record Time() implements Codec {
        @Override
        public String text(byte[] binary, TextStyle style) {
            Scalars.expect(binary, 8);
            return clock(new PgReader(binary).int64());
        }

        @Override
        public byte[] binary(String text, TextStyle style) {
            return new PgWriter().int64(IsoText.time(text, false).micros()).toBytes();
        }
    }

    /** {@code timetz}: the offset follows, in seconds west of Greenwich. */
    record ZonedTime() implements Codec {
        @Override
        public String text(byte[] binary, TextStyle style) {
            Scalars.expect(binary, 12);
            PgReader reader = new PgReader(binary);
            return clock(reader.int64()) + IsoText.write(ZoneOffset.ofTotalSeconds(-reader.int32()));
        }

        @Override
        public byte[] binary(String text, TextStyle style) {
            IsoText time = IsoText.time(text, true);
            return new PgWriter()
                    .int64(time.micros())
                    .int32(-time.offset().getTotalSeconds())
                    .toBytes();
        }
    }

    /** {@code timestamp}. */
    record Stamp() implements Codec {
        @Override
        public String text(byte[] binary, TextStyle style) {
            iso(style);
            Scalars.expect(binary, 8);
            long micros = new PgReader(binary).int64();
            return infinite(micros) ? infinity(micros) : stamp(EPOCH.plus(micros, ChronoUnit.MICROS), "");
        }

        @Override
        public byte[] binary(String text, TextStyle style) {
            iso(style);
            Long infinity = infinity(text);
            return new PgWriter()
                    .int64(infinity != null ? infinity : micros(IsoText.stamp(text, false)))
                    .toBytes();
        }

        @Override
        public boolean styled() {
            return true;
        }
    }

    /** {@code timestamptz}: an instant, shown in the session's time zone. */
    record ZonedStamp() implements Codec {
        @Override
        public String text(byte[] binary, TextStyle style) {
            iso(style);
            Scalars.expect(binary, 8);
            long micros = new PgReader(binary).int64();
            if (infinite(micros)) {
                return infinity(micros);
            }
            Instant instant = EPOCH.toInstant(ZoneOffset.UTC).plus(micros, ChronoUnit.MICROS);
            ZoneOffset offset = TimeZones.named(style.timeZone()).getRules().getOffset(instant);
            return stamp(LocalDateTime.ofInstant(instant, offset), IsoText.write(offset));
        }

        @Override
        public byte[] binary(String text, TextStyle style) {
            iso(style);
            Long infinity = infinity(text);
            if (infinity != null) {
                return new PgWriter().int64(infinity).toBytes();
            }
            IsoText stamp = IsoText.stamp(text, true);
            return new PgWriter()
                    .int64(micros(stamp) - stamp.offset().getTotalSeconds() * 1_000_000L)
                    .toBytes();
        }

        @Override
        public boolean styled() {
            return true;
        }
    }

    private static void iso(TextStyle style) {
        if (!style.isoDates()) {
            throw new IllegalArgumentException("only ISO dates are written here");
        }
    }

    private static long micros(IsoText stamp) {
        long days = stamp.date().toEpochDay() - EPOCH_DAY;
        return Math.addExact(Math.multiplyExact(days, MICROS_PER_DAY), stamp.micros());
    }

    private static String stamp(LocalDateTime stamp, String offset) {
        return IsoText.write(
                stamp.toLocalDate(), " " + clock(stamp.toLocalTime().toNanoOfDay() / 1000) + offset);
    }

    private static String clock(long micros) {
        if (micros == MICROS_PER_DAY) {
            return "24:00:00";
        }
        return IsoText.write(LocalTime.ofNanoOfDay(Math.multiplyExact(micros, 1000L)));
    }

    private static boolean infinite(long micros) {
        return micros == Long.MAX_VALUE || micros == Long.MIN_VALUE;
    }

    private static String infinity(long micros) {
        return micros > 0 ? "infinity" : "-infinity";
    }

    private static @Nullable Long infinity(String text) {
        return text.equals("infinity")
                ? (Long) Long.MAX_VALUE
                : text.equals("-infinity") ? (Long) Long.MIN_VALUE : null;
    }
}
