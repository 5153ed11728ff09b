package dev.understudy.divergence.wire.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads the values that have no others within: those of one line, by its type, and those of a blob. */
final class RespScalars {
    /** The longest number in text. */
    private static final int MOST_DIGITS = 64 * 1024;

    /** So many digits fit a long. */
    private static final int FEW_DIGITS = 18;

    private RespScalars() {}

    /** The value of a line, whose text is {@code length} bytes behind its type. */
    static RespValue line(char type, byte[] bytes, int from, int length) throws MalformedRespException {
        return switch (type) {
            case '+' -> new RespValue.Simple(new String(bytes, from, length, StandardCharsets.UTF_8));
            case '-' -> new RespValue.SimpleError(new String(bytes, from, length, StandardCharsets.UTF_8));
            case ':' -> new RespValue.Int(number(bytes, from, length));
            case ',' -> new RespValue.Decimal(ascii(bytes, from, length));
            case '(' -> new RespValue.BigNumber(ascii(bytes, from, length));
            case '_' -> {
                check(length == 0, "malformed null");
                yield new RespValue.Null();
            }
            case '#' -> {
                String truth = ascii(bytes, from, length);
                check(truth.equals("t") || truth.equals("f"), "malformed boolean");
                yield new RespValue.Bool(truth.equals("t"));
            }
            default -> throw new IllegalArgumentException("a line of type " + type);
        };
    }

    /** The value of a blob with this content. */
    static RespValue blob(char type, byte[] content) throws MalformedRespException {
        return switch (type) {
            case '$' -> new RespValue.Bulk(content);
            case '!' -> new RespValue.BulkError(content);
            default -> {
                check(content.length >= 4 && content[3] == ':', "malformed verbatim string");
                String format = new String(content, 0, 3, StandardCharsets.ISO_8859_1);
                yield new RespValue.Verbatim(format, Arrays.copyOfRange(content, 4, content.length));
            }
        };
    }

    static long number(byte[] bytes, int from, int length) throws MalformedRespException {
        boolean negative = length > 1 && bytes[from] == '-';
        int at = negative || (length > 1 && bytes[from] == '+') ? from + 1 : from;
        int to = from + length;
        if (at < to && to - at <= FEW_DIGITS) {
            return negative ? -digits(bytes, at, to) : digits(bytes, at, to);
        }
        try {
            return Long.parseLong(ascii(bytes, from, length));
        } catch (NumberFormatException e) {
            throw new MalformedRespException("malformed number");
        }
    }

    private static long digits(byte[] bytes, int from, int to) throws MalformedRespException {
        long number = 0;
        for (int i = from; i < to; i++) {
            int digit = bytes[i] - '0';
            check(digit >= 0 && digit <= 9, "malformed number");
            number = 10 * number + digit;
        }
        return number;
    }

    private static String ascii(byte[] bytes, int from, int length) throws MalformedRespException {
        check(length <= MOST_DIGITS, "a number of more than " + MOST_DIGITS + " digits");
        return new String(bytes, from, length, StandardCharsets.ISO_8859_1);
    }

    static void check(boolean right, String otherwise) throws MalformedRespException {
        if (!right) {
            throw new MalformedRespException(otherwise);
        }
    }
}
