package dev.understudy.divergence.wire.postgres.value;

import dev.understudy.divergence.wire.postgres.PgReader;
import dev.understudy.divergence.wire.postgres.PgWriter;
import java.math.BigDecimal;

/**
 * {@code numeric}: on the wire a count of base-10000 digits, the weight of the first one, a sign, the number of
 * decimals shown, and the digits ({@code numeric_send}).
 */
final class Numerics implements Codec {
    private static final int NEGATIVE = 0x4000;
    private static final int NAN = 0xc000;
    private static final int INFINITY = 0xd000;
    private static final int MINUS_INFINITY = 0xf000;

    /**
     * More digits than this before or after the point are left alone, so that {@code 1e999999} costs nothing in either
     * format.
     */
    private static final int MOST_DIGITS = 20_000;

    @Override
    public String text(byte[] binary, TextStyle style) {
        PgReader reader = new PgReader(binary);
        int count = reader.int16();
        int weight = reader.int16();
        int sign = reader.int16() & 0xffff;
        int scale = reader.int16();
        switch (sign) {
            case NAN -> {
                return "NaN";
            }
            case INFINITY -> {
                return "Infinity";
            }
            case MINUS_INFINITY -> {
                return "-Infinity";
            }
            default -> {}
        }
        if (count < 0 || scale < 0 || reader.remaining() != 2 * count) {
            throw new IllegalArgumentException("not a numeric");
        }
        if (4 * weight > MOST_DIGITS || scale > MOST_DIGITS) {
            throw new IllegalArgumentException("too many digits");
        }
        return plain(reader.int16s(count), weight, sign == NEGATIVE, scale);
    }

    private static String plain(short[] digits, int weight, boolean negative, int scale) {
        StringBuilder text = new StringBuilder();
        if (negative) {
            text.append('-');
        }
        if (weight < 0) {
            text.append('0');
        } else {
            text.append(digit(digits, 0));
            for (int i = 1; i <= weight; i++) {
                four(text, digit(digits, i));
            }
        }
        if (scale > 0) {
            text.append('.');
            int end = text.length() + scale;
            for (int i = weight + 1; text.length() < end; i++) {
                four(text, digit(digits, i));
            }
            text.setLength(end);
        }
        return text.toString();
    }

    private static int digit(short[] digits, int index) {
        return index >= 0 && index < digits.length ? digits[index] : 0;
    }

    private static void four(StringBuilder text, int digit) {
        text.append((char) ('0' + digit / 1000));
        text.append((char) ('0' + digit / 100 % 10));
        text.append((char) ('0' + digit / 10 % 10));
        text.append((char) ('0' + digit % 10));
    }

    @Override
    public byte[] binary(String text, TextStyle style) {
        switch (text) {
            case "NaN" -> {
                return special(NAN, 0);
            }
            case "Infinity" -> {
                return special(INFINITY, 0x20);
            }
            case "-Infinity" -> {
                return special(MINUS_INFINITY, 0x20);
            }
            default -> {}
        }
        BigDecimal value = new BigDecimal(text);
        if (Math.abs((long) value.scale()) > MOST_DIGITS || value.precision() > MOST_DIGITS) {
            throw new IllegalArgumentException("too many digits");
        }
        return digits(value.scale() < 0 ? value.setScale(0) : value);
    }

    private static byte[] digits(BigDecimal value) {
        int scale = value.scale();
        String unscaled = value.unscaledValue().abs().toString();
        String padded = "0".repeat(Math.max(0, scale + 1 - unscaled.length())) + unscaled;
        int point = padded.length() - scale;
        String aligned = "0".repeat((4 - point % 4) % 4) + padded + "0".repeat((4 - scale % 4) % 4);
        int first = 0;
        int end = aligned.length() / 4;
        while (first < end && group(aligned, first) == 0) {
            first++;
        }
        while (end > first && group(aligned, end - 1) == 0) {
            end--;
        }
        boolean zero = first == end;
        PgWriter writer = new PgWriter().int16(end - first);
        writer.int16(zero ? 0 : (point + 3) / 4 - 1 - first);
        writer.int16(value.signum() < 0 ? NEGATIVE : 0).int16(scale);
        for (int i = first; i < end; i++) {
            writer.int16(group(aligned, i));
        }
        return writer.toBytes();
    }

    private static int group(String digits, int index) {
        return Integer.parseInt(digits, index * 4, index * 4 + 4, 10);
    }

    private static byte[] special(int sign, int scale) {
        return new PgWriter().int16(0).int16(0).int16(sign).int16(scale).toBytes();
    }
}
