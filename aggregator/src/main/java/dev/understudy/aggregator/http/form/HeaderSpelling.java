package dev.understudy.aggregator.http.form;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Header values in one spelling, where blanks (RFC 9110, sections 5.6.1 and 5.6.6) or the order of cookies (RFC 6265,
 * section 4.2.2) mean nothing. What could be read in two ways is left as it is.
 */
final class HeaderSpelling {
    /** Lists, and values with parameters. */
    private static final Set<String> LISTS = Set.of(
            "accept",
            "accept-encoding",
            "accept-language",
            "content-encoding",
            "content-type",
            "grpc-accept-encoding",
            "if-match",
            "if-none-match",
            "range");

    private HeaderSpelling() {}

    /** @param name in lower case */
    static String of(String name, String value) {
        if (name.equals("cookie")) {
            return cookies(value);
        }
        return LISTS.contains(name) ? withoutBlanks(value) : value;
    }

    private static String withoutBlanks(String value) {
        if (value.indexOf('\\') >= 0 || value.chars().filter(c -> c == '"').count() % 2 != 0) {
            return value;
        }
        StringBuilder text = new StringBuilder(value.length());
        boolean quoted = false;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            quoted ^= c == '"';
            if (!quoted && isSeparator(c)) {
                strip(text);
            }
            if (quoted || !isBlank(c) || !atStart(text)) {
                text.append(c);
            }
        }
        strip(text);
        return text.toString();
    }

    private static void strip(StringBuilder text) {
        int end = text.length();
        while (end > 0 && isBlank(text.charAt(end - 1))) {
            end--;
        }
        text.setLength(end);
    }

    private static boolean atStart(StringBuilder text) {
        return text.length() == 0 || isSeparator(text.charAt(text.length() - 1));
    }

    private static boolean isSeparator(char c) {
        return c == ',' || c == ';';
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    private static String cookies(String value) {
        if (value.indexOf('"') >= 0) {
            return value;
        }
        return Arrays.stream(value.split(";", -1))
                .map(String::strip)
                .sorted(Comparator.comparing(HeaderSpelling::cookieName))
                .collect(Collectors.joining("; "));
    }

    private static String cookieName(String cookie) {
        int equals = cookie.indexOf('=');
        return equals < 0 ? cookie : cookie.substring(0, equals);
    }
}
