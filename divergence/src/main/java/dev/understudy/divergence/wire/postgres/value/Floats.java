package dev.understudy.divergence.wire.postgres.value;

import dev.understudy.divergence.wire.postgres.PgReader;
import dev.understudy.divergence.wire.postgres.PgWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * {@code float4} and {@code float8}: IEEE 754 on the wire, the shortest digits that read back as the same number in
 * text (since PostgreSQL 12, unless {@code extra_float_digits} says otherwise).
 *
 * <p>JDK 17's own conversion does not always give the shortest digits, so they are searched for here.
 */
record Floats(boolean single) implements Codec {
    private static final BigDecimal TWO = BigDecimal.valueOf(2);

    @Override
    public String text(byte[] binary, TextStyle style) {
        Scalars.expect(binary, single ? 4 : 8);
        if (!style.exactFloats()) {
            throw new IllegalArgumentException("rounded floats are not written here");
        }
        PgReader reader = new PgReader(binary);
        return single ? text(Float.intBitsToFloat(reader.int32())) : text(Double.longBitsToDouble(reader.int64()));
    }

    String text(double value) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "Infinity" : "-Infinity";
        }
        String sign = Double.doubleToRawLongBits(value) < 0 ? "-" : "";
        return sign + (value == 0 ? "0" : laidOut(shortest(Math.abs(value))));
    }

    @Override
    public byte[] binary(String text, TextStyle style) {
        if (!style.exactFloats()) {
            throw new IllegalArgumentException("rounded floats can't be read back");
        }
        double value = single ? Float.parseFloat(text) : Double.parseDouble(text);
        boolean number = !Double.isNaN(value) && !Double.isInfinite(value);
        if (number == special(text) || (number && Character.isLetter(text.charAt(text.length() - 1)))) {
            throw new IllegalArgumentException("not a float");
        }
        PgWriter writer = new PgWriter();
        return single
                ? writer.int32(Float.floatToIntBits((float) value)).toBytes()
                : writer.int64(Double.doubleToLongBits(value)).toBytes();
    }

    @Override
    public boolean styled() {
        return true;
    }

    /** Java's parser takes {@code 1d} and lets {@code 1e999} be infinite; PostgreSQL does neither. */
    private static boolean special(String text) {
        return text.equals("NaN") || text.equals("Infinity") || text.equals("-Infinity");
    }

    /** The fewest digits strictly between the two halfway points, and of those the nearest to the value. */
    private BigDecimal shortest(double value) {
        BigDecimal exact = new BigDecimal(value);
        BigDecimal below = halfway(exact, single ? Math.nextDown((float) value) : Math.nextDown(value));
        double up = single ? Math.nextUp((float) value) : Math.nextUp(value);
        BigDecimal above = Double.isInfinite(up) ? exact.add(exact.subtract(below)) : halfway(exact, up);
        for (int precision = 1; ; precision++) {
            BigDecimal nearest = exact.round(new MathContext(precision, RoundingMode.HALF_EVEN));
            if (inside(nearest, below, above)) {
                return nearest;
            }
            BigDecimal higher = exact.round(new MathContext(precision, RoundingMode.UP));
            if (inside(higher, below, above)) {
                return higher;
            }
            BigDecimal lower = exact.round(new MathContext(precision, RoundingMode.DOWN));
            if (inside(lower, below, above)) {
                return lower;
            }
        }
    }

    private static BigDecimal halfway(BigDecimal exact, double neighbour) {
        return exact.add(new BigDecimal(neighbour)).divide(TWO);
    }

    private static boolean inside(BigDecimal value, BigDecimal below, BigDecimal above) {
        return value.compareTo(below) > 0 && value.compareTo(above) < 0;
    }

    /**
     * Plain up to 15 (float4: 6) digits before the point and down to 0.0001, else with an exponent of at least two
     * digits.
     */
    private String laidOut(BigDecimal shortest) {
        BigDecimal stripped = shortest.stripTrailingZeros();
        int exponent = stripped.precision() - stripped.scale() - 1;
        if (exponent >= -4 && exponent < (single ? 6 : 15)) {
            return stripped.toPlainString();
        }
        String digits = stripped.unscaledValue().toString();
        String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
        String power = (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
        return digits.charAt(0) + fraction + "e" + (exponent < 0 ? "-" : "+") + power;
    }
}
