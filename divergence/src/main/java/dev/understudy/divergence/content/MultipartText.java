package dev.understudy.divergence.content;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A body in several parts (RFC 2046, section 5.1), read strictly: nothing before the first part or after the last one,
 * and each line ends with CRLF. Time and memory are in proportion to the body.
 */
public final class MultipartText {
    private static final int MOST_PARTS = 10_000;
    private static final Pattern BOUNDARY = Pattern.compile("[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]");
    private static final byte[] LINE = bytes("\r\n");

    private MultipartText() {}

    /**
     * One part.
     *
     * @param head its header lines, without the empty line behind them; "" if it has none
     */
    @SuppressWarnings("ArrayRecordComponent") // shared with the body's reader, never compared by equals
    public record Part(String head, byte[] body) {
        /** Its headers by name in lower case; null if a line is none, or one is there twice. */
        public @Nullable Map<String, String> headers() {
            Map<String, String> headers = new TreeMap<>();
            for (String line : head.isEmpty() ? new String[0] : head.split("\r\n", -1)) {
                int colon = line.indexOf(':');
                if (colon <= 0) {
                    return null;
                }
                String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
                if (headers.put(name, line.substring(colon + 1).strip()) != null) {
                    return null;
                }
            }
            return headers;
        }
    }

    /** The parts; null if the body isn't exactly some parts between delimiters of that boundary. */
    public static @Nullable List<Part> parse(byte[] body, @Nullable String boundary) {
        if (boundary == null || !BOUNDARY.matcher(boundary).matches()) {
            return null;
        }
        byte[] delimiter = bytes("\r\n--" + boundary);
        int first = delimiter.length - LINE.length;
        if (body.length < first || !Arrays.equals(body, 0, first, delimiter, LINE.length, delimiter.length)) {
            return null;
        }
        List<Part> parts = new ArrayList<>();
        int at = first;
        while (startsWith(body, at, LINE) && parts.size() < MOST_PARTS) {
            int begin = at + LINE.length;
            int end = find(body, at, delimiter);
            if (end < 0) {
                return null;
            }
            Part part = end < begin ? null : part(body, begin, end);
            if (part == null) {
                return null;
            }
            parts.add(part);
            at = end + delimiter.length;
        }
        boolean closed = startsWith(body, at, bytes("--"));
        int rest = body.length - at - 2;
        return closed && !parts.isEmpty() && (rest == 0 || (rest == 2 && startsWith(body, at + 2, LINE)))
                ? parts
                : null;
    }

    /**
     * The body with another boundary.
     *
     * @return null if it can't be read with the old one, or would be read otherwise with the new one
     */
    public static byte @Nullable [] rebounded(byte[] body, String old, String other) {
        List<Part> parts = parse(body, old);
        if (parts == null) {
            return null;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(body.length + 100);
        for (Part part : parts) {
            out.writeBytes(bytes((out.size() == 0 ? "--" : "\r\n--") + other + "\r\n" + part.head));
            out.writeBytes(bytes(part.head.isEmpty() ? "\r\n" : "\r\n\r\n"));
            out.writeBytes(part.body);
        }
        out.writeBytes(bytes("\r\n--" + other + "--"));
        if (startsWith(body, body.length - LINE.length, LINE)) {
            out.writeBytes(LINE);
        }
        List<Part> again = parse(out.toByteArray(), other);
        return again != null && alike(parts, again) ? out.toByteArray() : null;
    }

    private static boolean alike(List<Part> parts, List<Part> others) {
        for (int i = 0; i < parts.size(); i++) {
            if (parts.size() != others.size()
                    || !parts.get(i).head.equals(others.get(i).head)
                    || !Arrays.equals(parts.get(i).body, others.get(i).body)) {
                return false;
            }
        }
        return true;
    }

    /** Header lines, an empty line, content; or an empty line and content. */
    private static @Nullable Part part(byte[] body, int begin, int end) {
        if (startsWith(body, begin, LINE) && begin + LINE.length <= end) {
            return new Part("", Arrays.copyOfRange(body, begin + LINE.length, end));
        }
        int empty = find(body, begin, bytes("\r\n\r\n"));
        if (empty < 0 || empty + 4 > end) {
            return null;
        }
        String head = new String(body, begin, empty - begin, StandardCharsets.ISO_8859_1);
        return new Part(head, Arrays.copyOfRange(body, empty + 4, end));
    }

    private static boolean startsWith(byte[] body, int at, byte[] what) {
        return at >= 0
                && at + what.length <= body.length
                && Arrays.equals(body, at, at + what.length, what, 0, what.length);
    }

    /** Where {@code what} is found from there on; -1 if nowhere. */
    private static int find(byte[] body, int from, byte[] what) {
        for (int at = from; at + what.length <= body.length; at++) {
            if (body[at] == what[0] && startsWith(body, at, what)) {
                return at;
            }
        }
        return -1;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
