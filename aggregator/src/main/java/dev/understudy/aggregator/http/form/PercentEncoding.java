package dev.understudy.aggregator.http.form;

import org.jspecify.annotations.Nullable;

/**
 * Percent-encoded text in one spelling (RFC 3986, section 6.2.2): unreserved characters in clear, digits in upper case.
 */
final class PercentEncoding {
    private static final int HEX = 16;
    private static final String DIGITS = "0123456789ABCDEF";

    private PercentEncoding() {}

    /** A path; as it is if its encoding is malformed. */
    static String ofPath(String text) {
        String normal = normal(text, false, false);
        return normal == null ? text : normal;
    }

    /** A name or value of a query, where a plus is a blank; as it is if its encoding is malformed. */
    static String ofQuery(String text) {
        String normal = normal(text, true, false);
        return normal == null ? text : normal;
    }

    /** A name or value of a form, where reserved characters mean the same in clear; null if malformed. */
    static @Nullable String ofForm(String text) {
        return normal(text, true, true);
    }

    private static @Nullable String normal(String text, boolean plusIsBlank, boolean form) {
        StringBuilder normal = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean encoded = c == '%';
            if (encoded) {
                int high = i + 1 < text.length() ? Character.digit(text.charAt(i + 1), HEX) : -1;
                int low = i + 2 < text.length() ? Character.digit(text.charAt(i + 2), HEX) : -1;
                if (high < 0 || low < 0) {
                    return null;
                }
                c = (char) (high * HEX + low);
                i += 2;
            } else if (c > 0xff) {
                return null;
            } else if (c == '+' && plusIsBlank) {
                c = ' ';
                encoded = true;
            }
            if ((encoded || form) && !isUnreserved(c)) {
                normal.append('%').append(DIGITS.charAt(c / HEX)).append(DIGITS.charAt(c % HEX));
            } else {
                normal.append(c);
            }
        }
        return normal.toString();
    }

    private static boolean isUnreserved(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "-._~".indexOf(c) >= 0;
    }
}
