package dev.understudy.divergence.wire.postgres.value;

import dev.understudy.divergence.wire.postgres.PgReader;
import dev.understudy.divergence.wire.postgres.PgWriter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code interval}: microseconds, days and months on the wire; in text as {@code IntervalStyle} {@code postgres} writes
 * them, e.g. {@code 1 year 2 mons -3 days +04:05:06.7}.
 */
final class Intervals implements Codec {
    private static final Pattern TEXT = Pattern.compile("(?:([+-]?\\d+) years?)?(?: ?([+-]?\\d+) mons?)?"
            + "(?: ?([+-]?\\d+) days?)?(?: ?([+-]?)(\\d{2,}):(\\d\\d):(\\d\\d)(?:\\.(\\d{1,6}))?)?");

    @Override
    public String text(byte[] binary, TextStyle style) {
        postgres(style);
        Scalars.expect(binary, 16);
        PgReader reader = new PgReader(binary);
        long micros = reader.int64();
        int days = reader.int32();
        int months = reader.int32();
        if (micros == Long.MIN_VALUE || micros == Long.MAX_VALUE) {
            throw new IllegalArgumentException("infinite");
        }
        StringBuilder text = new StringBuilder();
        boolean negative = part(text, months / 12, "year", false);
        negative = part(text, months % 12, "mon", negative);
        negative = part(text, days, "day", negative);
        if (micros != 0 || text.isEmpty()) {
            text.append(text.isEmpty() ? "" : " ").append(micros < 0 ? "-" : negative ? "+" : "");
            long seconds = Math.abs(micros / 1_000_000);
            int fraction = (int) Math.abs(micros % 1_000_000);
            text.append(String.format(Locale.ROOT, "%02d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60));
            text.append(fraction == 0 ? "" : IsoText.fraction(fraction));
        }
        return text.toString();
    }

    /**
     * Writes a part unless it is 0; a positive one after a negative one gets a sign. Returns whether it is negative.
     */
    private static boolean part(StringBuilder text, int number, String unit, boolean afterNegative) {
        if (number == 0) {
            return afterNegative;
        }
        text.append(text.isEmpty() ? "" : " ").append(afterNegative && number > 0 ? "+" : "");
        text.append(number).append(' ').append(unit).append(number == 1 ? "" : "s");
        return number < 0;
    }

    @Override
    public byte[] binary(String text, TextStyle style) {
        postgres(style);
        Matcher match = TEXT.matcher(text);
        if (text.isEmpty() || !match.matches()) {
            throw new IllegalArgumentException("not an interval in postgres style");
        }
        long months = 12 * number(match.group(1)) + number(match.group(2));
        String fraction = match.group(8);
        long micros = (number(match.group(5)) * 3600 + number(match.group(6)) * 60 + number(match.group(7))) * 1_000_000
                + (fraction == null ? 0 : number((fraction + "000000").substring(0, 6)));
        return new PgWriter()
                .int64("-".equals(match.group(4)) ? -micros : micros)
                .int32(Math.toIntExact(number(match.group(3))))
                .int32(Math.toIntExact(months))
                .toBytes();
    }

    @Override
    public boolean styled() {
        return true;
    }

    private static void postgres(TextStyle style) {
        if (!style.postgresIntervals()) {
            throw new IllegalArgumentException("only IntervalStyle postgres is written here");
        }
    }

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
