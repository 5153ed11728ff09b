package dev.understudy.divergence.wire.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes the bytes of a request's head where its meaning changes, and nowhere else: a server that refuses a folded
 * line, or a bare line feed, must get it.
 */
public final class HeadEdit {
    private final String raw;
    private final StringBuilder edited = new StringBuilder();
    private int copied;

    private HeadEdit(String raw) {
        this.raw = raw;
    }

    /** A header with the lines that it is folded into. */
    private record Field(int start, int end) {}

    /**
     * The head as bytes, as it came but for what is changed.
     *
     * @param raw the head as it came, with the empty line at its end
     * @param was what it was read as
     * @param is what it shall be: another target, other values of headers, headers that aren't there any more, and such
     *     that are added at the end
     * @return null if that can't be put into these bytes
     */
    public static byte @Nullable [] apply(byte[] raw, RequestHead was, RequestHead is) {
        if (!was.method().equals(is.method()) || !was.version().equals(is.version())) {
            return null;
        }
        HeadEdit edit = new HeadEdit(new String(raw, StandardCharsets.ISO_8859_1));
        return edit.all(was, is) ? edit.edited.toString().getBytes(StandardCharsets.ISO_8859_1) : null;
    }

    private boolean all(RequestHead was, RequestHead is) {
        int line = 0;
        while (line < raw.length() && "\r\n".indexOf(raw.charAt(line)) >= 0) {
            line++; // empty lines before it
        }
        int end = lineEnd(line);
        if (end < 0 || !target(line, was.target(), is.target())) {
            return false;
        }
        List<Field> fields = new ArrayList<>();
        int at = end;
        for (int next = lineEnd(at); next > 0 && !isEmpty(at, next); next = lineEnd(at)) {
            boolean folded = " \t".indexOf(raw.charAt(at)) >= 0;
            if (folded && fields.isEmpty()) {
                return false;
            }
            int start = folded ? fields.remove(fields.size() - 1).start : at;
            fields.add(new Field(start, next));
            at = next;
        }
        String lineFeed = raw.charAt(end - 2) == '\r' ? "\r\n" : "\n";
        if (at >= raw.length() || fields.size() != was.headers().size() || !headers(fields, was, is, at, lineFeed)) {
            return false;
        }
        edited.append(raw, copied, raw.length());
        return true;
    }

    private boolean target(int line, String was, String is) {
        int from = raw.indexOf(' ', line) + 1;
        return was.equals(is) || (raw.startsWith(was, from) && replace(from, from + was.length(), is));
    }

    private boolean headers(List<Field> fields, RequestHead was, RequestHead is, int end, String lineFeed) {
        int next = 0;
        for (int i = 0; i < fields.size(); i++) {
            Header before = was.headers().get(i);
            Header after = next < is.headers().size() ? is.headers().get(next) : null;
            Field field = fields.get(i);
            if (after == null || !after.is(before.name())) {
                replace(field.start, field.end, "");
                continue;
            }
            next++;
            if (!before.value().equals(after.value()) && !value(field, before.value(), after.value())) {
                return false;
            }
        }
        StringBuilder more = new StringBuilder();
        for (Header header : is.headers().subList(next, is.headers().size())) {
            more.append(header.name()).append(": ").append(header.value()).append(lineFeed);
        }
        return replace(end, end, more.toString());
    }

    /** A value that is folded isn't found, unless its first lines hold all of it. */
    private boolean value(Field field, String was, String is) {
        int from = raw.indexOf(':', field.start) + 1;
        while (from < field.end && " \t".indexOf(raw.charAt(from)) >= 0) {
            from++;
        }
        int to = from + was.length();
        return raw.startsWith(was, from)
                && raw.substring(Math.min(to, field.end), field.end).isBlank()
                && replace(from, to, is);
    }

    private boolean replace(int from, int to, String by) {
        edited.append(raw, copied, from).append(by);
        copied = to;
        return true;
    }

    /** Behind the line's end; -1 if it has none. */
    private int lineEnd(int from) {
        int feed = raw.indexOf('\n', from);
        return feed < 0 ? -1 : feed + 1;
    }

    private boolean isEmpty(int from, int to) {
        return to - from == 1 || (to - from == 2 && raw.charAt(from) == '\r');
    }
}
