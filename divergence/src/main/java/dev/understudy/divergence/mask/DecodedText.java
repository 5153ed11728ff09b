package dev.understudy.divergence.mask;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A text as its reader sees it, who decodes percent-encoding, or entities and escapes. Immutable. */
final class DecodedText {
    private static final int HEX = 16;
    private static final int LONGEST_ENTITY = 8;
    private static final Map<String, Character> ENTITIES =
            Map.of("quot", '"', "apos", '\'', "amp", '&', "lt", '<', "gt", '>');

    private final String text;
    /** By character: where that begins in what was decoded. */
    private final int[] starts;

    private DecodedText(String text, int[] starts) {
        this.text = text;
        this.starts = starts;
    }

    /** All ways to read a text in which that is another one. */
    static List<DecodedText> of(String text) {
        List<DecodedText> ways = new ArrayList<>();
        if (text.indexOf('%') >= 0) {
            add(ways, text, false, false);
            if (text.indexOf('+') >= 0) {
                add(ways, text, false, true);
            }
        }
        if (text.indexOf('&') >= 0 || text.contains("\\u")) {
            add(ways, text, true, false);
        }
        return ways;
    }

    String text() {
        return text;
    }

    /** Where a character of it begins in what was decoded. */
    int start(int at) {
        return starts[at];
    }

    private static void add(List<DecodedText> ways, String text, boolean entities, boolean plusIsBlank) {
        StringBuilder plain = new StringBuilder(text.length());
        int[] starts = new int[text.length() + 1];
        int at = 0;
        while (at < text.length()) {
            starts[plain.length()] = at;
            int end = entities ? endOfEscape(text, at) : endOfPercent(text, at);
            Character one = end < 0 ? null : entities ? escaped(text, at, end) : character(text, at + 1, end, HEX);
            char c = text.charAt(at);
            plain.append(one != null ? one : c == '+' && plusIsBlank ? ' ' : c);
            at = one != null ? end : at + 1;
        }
        if (plain.length() < text.length()) {
            starts[plain.length()] = text.length();
            ways.add(new DecodedText(plain.toString(), Arrays.copyOf(starts, plain.length() + 1)));
        }
    }

    private static int endOfPercent(String text, int at) {
        return text.charAt(at) == '%' && at + 3 <= text.length() ? at + 3 : -1;
    }

    private static int endOfEscape(String text, int at) {
        if (text.startsWith("\\u", at)) {
            return at + 6 <= text.length() ? at + 6 : -1;
        }
        int last = text.charAt(at) == '&' ? Math.min(text.length(), at + LONGEST_ENTITY) : at;
        for (int end = at; end < last; end++) {
            if (text.charAt(end) == ';') {
                return end + 1;
            }
        }
        return -1;
    }

    private static @Nullable Character escaped(String text, int at, int end) {
        if (text.charAt(at) == '\\') {
            return character(text, at + 2, end, HEX);
        }
        String name = text.substring(at + 1, end - 1);
        if (name.startsWith("#x") || name.startsWith("#X")) {
            return character(text, at + 3, end - 1, HEX);
        }
        return name.startsWith("#") ? character(text, at + 2, end - 1, 10) : ENTITIES.get(name);
    }

    private static @Nullable Character character(String text, int from, int to, int radix) {
        int code = from < to ? 0 : -1;
        for (int i = from; i < to && code >= 0; i++) {
            int digit = Character.digit(text.charAt(i), radix);
            code = digit < 0 ? -1 : code * radix + digit;
        }
        return code < 0 || code > Character.MAX_VALUE ? null : (char) code;
    }
}
