package dev.understudy.divergence.wire.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Collects one line, however it is cut into reads; looks at each byte once.
 *
 * <p>A line ends with CR LF or a bare LF (RFC 9112, section 2.2). A bare CR or another control character
 * is an error as soon as it is seen.
 */
final class LineBuffer {
    private static final int USUAL = 128;

    /** Bytes that it keeps for the next line. */
    private static final int MOST_KEPT = 1024;

    private byte[] line = new byte[USUAL];
    private int length;
    private boolean carriageReturn;

    /**
     * Takes bytes up to and including the line end, or none if they are in error.
     *
     * @param limit the longest line allowed, without its end; the same in all calls for one line
     * @return whether the line is complete
     */
    boolean read(ByteBuffer in, int limit) throws Unframable {
        int start = in.position();
        int end = in.limit();
        int at = start;
        while (at < end) {
            byte b = in.get(at);
            if (b == '\n') {
                append(in, at - start);
                in.get();
                return true;
            }
            int index = length + at - start;
            if (index >= limit && (index > limit || b != '\r')) {
                throw new Unframable("line or head too long");
            }
            if (carriageReturn || (b >= 0 && b < ' ' && b != '\t' && b != '\r')) {
                throw new Unframable("control character in a line");
            }
            carriageReturn = b == '\r';
            at++;
        }
        append(in, at - start);
        return false;
    }

    private void append(ByteBuffer in, int count) {
        if (length + count > line.length) {
            line = Arrays.copyOf(line, Math.max(length + count, 2 * line.length));
        }
        in.get(line, length, count);
        length += count;
    }

    /** Memory that a line takes which isn't complete. */
    int heldBytes() {
        return isEmpty() ? 0 : line.length;
    }

    boolean isEmpty() {
        return length == 0;
    }

    /** The complete line without its end; the next one begins. */
    String take() {
        int textLength = carriageReturn ? length - 1 : length;
        length = 0;
        carriageReturn = false;
        String text = new String(line, 0, textLength, StandardCharsets.ISO_8859_1);
        if (line.length > MOST_KEPT) {
            line = new byte[USUAL];
        }
        return text;
    }
}
