package dev.understudy.divergence.wire.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What request and reply heads do alike with their headers; lists are never changed, only copied. */
final class HeaderList {
    private HeaderList() {}

    static @Nullable String first(List<Header> headers, String name) {
        for (Header header : headers) {
            if (header.is(name)) {
                return header.value();
            }
        }
        return null;
    }

    static List<String> all(List<Header> headers, String name) {
        List<String> values = new ArrayList<>(1);
        for (Header header : headers) {
            if (header.is(name)) {
                values.add(header.value());
            }
        }
        return values;
    }

    /** Replaces the first header of that name in its place, drops the others, or appends one. */
    static List<Header> with(List<Header> headers, String name, String value) {
        List<Header> changed = new ArrayList<>(headers.size() + 1);
        boolean placed = false;
        for (Header header : headers) {
            if (!header.is(name)) {
                changed.add(header);
            } else if (!placed) {
                changed.add(new Header(header.name(), value));
                placed = true;
            }
        }
        if (!placed) {
            changed.add(new Header(name, value));
        }
        return changed;
    }

    static List<Header> without(List<Header> headers, String name) {
        List<Header> changed = new ArrayList<>(headers);
        changed.removeIf(header -> header.is(name));
        return changed;
    }

    /** A head as wire bytes: its first line, the headers, and the empty line. */
    static byte[] encode(String firstLine, List<Header> headers) {
        StringBuilder head = new StringBuilder(firstLine.length() + 48 * headers.size());
        head.append(firstLine).append("\r\n");
        for (Header header : headers) {
            head.append(header.name()).append(": ").append(header.value()).append("\r\n");
        }
        return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
