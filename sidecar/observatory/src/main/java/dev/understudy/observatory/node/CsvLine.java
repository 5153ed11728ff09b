package dev.understudy.observatory.node;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Lines of numbers, written as text without a string for any of them. The caller leaves room. */
final class CsvLine {
    /** What a number and its comma take at most. */
    static final int LONGEST_NUMBER = 24;

    private static final long PARTS = 10_000;
    private static final double MOST = 9e14;

    private CsvLine() {}

    /** Writes a whole number of at least 0. */
    static void whole(ByteBuffer line, long value) {
        long divisor = 1;
        while (value / divisor >= 10) {
            divisor *= 10;
        }
        for (; divisor > 0; divisor /= 10) {
            line.put((byte) ('0' + value / divisor % 10));
        }
    }

    /** Writes a comma and a number with up to four decimals; nothing behind the comma where there is none. */
    static void cell(ByteBuffer line, double value) {
        line.put((byte) ',');
        if (Double.isNaN(value) || Math.abs(value) > MOST) {
            return;
        }
        long parts = Math.round(Math.abs(value) * PARTS);
        if (value < 0 && parts > 0) {
            line.put((byte) '-');
        }
        whole(line, parts / PARTS);
        long rest = parts % PARTS;
        if (rest > 0) {
            line.put((byte) '.');
            for (long divisor = PARTS / 10; rest > 0; divisor /= 10) {
                line.put((byte) ('0' + rest / divisor));
                rest %= divisor;
            }
        }
    }

    /** Writes a comma and a text of ASCII. */
    static void cell(ByteBuffer line, String text) {
        line.put((byte) ',');
        for (int i = 0; i < text.length(); i++) {
            line.put((byte) text.charAt(i));
        }
    }

    /** A segment's first line. */
    static byte[] header(Iterable<String> columns) {
        return (String.join(",", columns) + "\n").getBytes(StandardCharsets.US_ASCII);
    }
}
