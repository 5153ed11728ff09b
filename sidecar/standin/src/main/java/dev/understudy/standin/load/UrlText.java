package dev.understudy.standin.load;

import java.nio.charset.StandardCharsets;

/** Writes text as a part of a URL. */
final class UrlText {
    private static final String PLAIN = "-._~";
    private static final String HEX = "0123456789ABCDEF";

    private UrlText() {}

    /** Percent-encodes all but the unreserved characters of RFC 3986. */
    static String encode(String text) {
        StringBuilder encoded = new StringBuilder(text.length() + 8);
        for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
            char character = (char) (each & 0xFF);
            if (isPlain(character)) {
                encoded.append(character);
            } else {
                encoded.append('%').append(HEX.charAt(character >> 4)).append(HEX.charAt(character & 0xF));
            }
        }
        return encoded.toString();
    }

    private static boolean isPlain(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || PLAIN.indexOf(c) >= 0;
    }
}
