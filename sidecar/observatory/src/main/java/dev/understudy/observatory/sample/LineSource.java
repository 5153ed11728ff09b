package dev.understudy.observatory.sample;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Lines of a file, of which none takes more memory than {@link #LONGEST}; bytes are characters. One thread. */
final class LineSource {
    /** A longer line is damaged; the sampler's are some hundred bytes long. */
    static final int LONGEST = 1 << 16;

    private final InputStream in;
    private final byte[] buffer = new byte[1 << 16];
    private final byte[] line = new byte[LONGEST];
    private int length;
    private int at;
    private int limit;
    private long number;
    private boolean isTooLong;

    LineSource(InputStream in) {
        this.in = in;
    }

    /** Goes to the next complete line; false at the end, and for a last one without its end. */
    boolean next() throws IOException {
        length = 0;
        isTooLong = false;
        number++;
        while (true) {
            if (at == limit) {
                limit = Math.max(0, in.read(buffer));
                at = 0;
                if (limit == 0) {
                    return false;
                }
            }
            byte each = buffer[at++];
            if (each == '\n') {
                return true;
            }
            if (length == LONGEST) {
                isTooLong = true;
            } else {
                line[length++] = each;
            }
        }
    }

    /** Whether there was a line without its end at the end. */
    boolean isTorn() {
        return length > 0;
    }

    boolean isTooLong() {
        return isTooLong;
    }

    /** The line's number, from 1. */
    long number() {
        return number;
    }

    /** How many cells it has, with what is between commas. */
    int split(int[] ends) {
        int cells = 0;
        for (int i = 0; i < length; i++) {
            if (line[i] == ',') {
                if (cells == ends.length) {
                    return cells + 1;
                }
                ends[cells++] = i;
            }
        }
        if (cells < ends.length) {
            ends[cells] = length;
        }
        return cells + 1;
    }

    String text(int from, int to) {
        return new String(line, from, to - from, StandardCharsets.ISO_8859_1);
    }

    String text() {
        return text(0, length);
    }

    /**
     * A decimal number of up to 18 digits.
     *
     * @return NaN for anything else
     */
    double number(int from, int to) {
        int i = from;
        boolean isNegative = i < to && line[i] == '-';
        if (isNegative) {
            i++;
        }
        long whole = 0;
        int digits = 0;
        double scale = 1;
        boolean isBehindPoint = false;
        for (; i < to; i++) {
            byte each = line[i];
            if (each == '.' && !isBehindPoint && digits > 0) {
                isBehindPoint = true;
            } else if (each >= '0' && each <= '9' && digits < 18) {
                whole = whole * 10 + (each - '0');
                digits++;
                scale *= isBehindPoint ? 10 : 1;
            } else {
                return Double.NaN;
            }
        }
        if (digits == 0 || line[to - 1] == '.') {
            return Double.NaN;
        }
        double value = whole / scale;
        return isNegative ? -value : value;
    }

    /** A whole number of 0 to 10^18; -1 for anything else. */
    long whole(int from, int to) {
        if (to == from || to - from > 18) {
            return -1;
        }
        long value = 0;
        for (int i = from; i < to; i++) {
            byte each = line[i];
            if (each < '0' || each > '9') {
                return -1;
            }
            value = value * 10 + (each - '0');
        }
        return value;
    }
}
