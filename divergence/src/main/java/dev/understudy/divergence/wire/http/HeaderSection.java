package dev.understudy.divergence.wire.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects header lines up to the empty one (RFC 9112, section 5), folded lines included. */
final class HeaderSection {
    /** Memory of a header besides its characters: two texts, and the place in a list. */
    private static final long PER_HEADER = 160;

    /** Characters that are kept for the next section's values. */
    private static final int MOST_KEPT = 512;

    private static final boolean[] TOKEN = new boolean[128];

    static {
        for (char c = '!'; c < 127; c++) {
            TOKEN[c] = "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0;
        }
    }

    private final boolean blankBeforeColon;
    private List<Header> headers = new ArrayList<>();
    private long bytes;
    private @Nullable String name;
    private StringBuilder value = new StringBuilder();

    /** @param blankBeforeColon whether blanks before a colon are removed (replies) or an error (requests) */
    HeaderSection(boolean blankBeforeColon) {
        this.blankBeforeColon = blankBeforeColon;
    }

    /** Takes one line without its end, and says whether it was the empty one. */
    boolean add(String line) throws Unframable {
        if (line.isEmpty()) {
            return true;
        }
        char first = line.charAt(0);
        if (first == ' ' || first == '\t') {
            if (name == null) {
                throw new Unframable("blank before the first header");
            }
            value.append(' ').append(trim(line, 0)); // RFC 9112, section 5.2
            return false;
        }
        flush();
        bytes += PER_HEADER + line.length();
        int colon = line.indexOf(':');
        String before = colon < 0 ? line : line.substring(0, colon);
        String token = blankBeforeColon ? before.stripTrailing() : before;
        if (colon < 0 || !isToken(token)) {
            throw new Unframable("malformed header");
        }
        name = token;
        value.append(trim(line, colon + 1));
        return false;
    }

    /** Memory that the headers take which were collected. */
    long heldBytes() {
        return bytes == 0 ? 0 : bytes + 2L * value.capacity();
    }

    /** The headers collected; the next section begins. */
    List<Header> take() {
        flush();
        List<Header> taken = headers;
        headers = new ArrayList<>();
        value = value.capacity() > MOST_KEPT ? new StringBuilder() : value;
        bytes = 0;
        return taken;
    }

    private void flush() {
        if (name != null) {
            headers.add(new Header(name, trim(value.toString(), 0)));
            name = null;
            value.setLength(0);
        }
    }

    static boolean isToken(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 128 || !TOKEN[c]) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    static boolean isToken(byte b) {
        return b >= 0 && TOKEN[b];
    }

    private static String trim(String text, int from) {
        int start = from;
        int end = text.length();
        while (start < end && isBlank(text.charAt(start))) {
            start++;
        }
        while (end > start && isBlank(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(start, end);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }
}
