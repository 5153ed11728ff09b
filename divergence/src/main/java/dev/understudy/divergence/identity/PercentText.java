package dev.understudy.divergence.identity;

import dev.understudy.divergence.identity.Translation.Dictionary;
import java.util.Locale;

/** Finds known values in what is percent-encoded: request targets (RFC 3986, section 2.1) and forms. */
final class PercentText {
    private static final int HEX = 16;
    private static final int RAW = 0xE000; // of the private use area

    private PercentText() {}

    /** Path segments, path parameters and query values. */
    static String target(String target, Dictionary dictionary) {
        return Translation.each(target, "/?&=;", part -> part(part, dictionary));
    }

    /** The fields of an {@code application/x-www-form-urlencoded} body, one character a byte. */
    static String fields(String form, Dictionary dictionary) {
        return Translation.each(form, "&=", part -> part(part, dictionary));
    }

    private static String part(String part, Dictionary dictionary) {
        boolean encoded = part.indexOf('%') >= 0;
        String whole = dictionary.find(encoded ? decoded(part, 0) : part);
        if (whole != null) {
            return encoded(whole);
        }
        if (!encoded) {
            return Translation.ofText(part, dictionary);
        }
        String plain = decoded(part, RAW);
        String changed = Translation.ofText(plain, dictionary);
        return changed.equals(plain) ? part : encoded(changed);
    }

    /**
     * One character a byte; what isn't an encoded byte stands for itself.
     *
     * @param mark added to characters that separate or mean something where they aren't encoded
     */
    private static String decoded(String part, int mark) {
        StringBuilder plain = new StringBuilder(part.length());
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            int high = c == '%' && i + 2 < part.length() ? Character.digit(part.charAt(i + 1), HEX) : -1;
            int low = high >= 0 ? Character.digit(part.charAt(i + 2), HEX) : -1;
            if (low >= 0) {
                plain.append((char) (high * HEX + low));
                i += 2;
            } else {
                plain.append(Translation.isNarrow(c) ? c : (char) (c + mark));
            }
        }
        return plain.toString();
    }

    private static String encoded(String plain) {
        StringBuilder encoded = new StringBuilder(plain.length() + 16);
        for (int i = 0; i < plain.length(); i++) {
            char c = plain.charAt(i);
            if (c >= RAW) {
                encoded.append((char) (c - RAW));
            } else if (Translation.isNarrow(c)) {
                encoded.append(c);
            } else {
                encoded.append('%').append(String.format(Locale.ROOT, "%02X", (int) c));
            }
        }
        return encoded.toString();
    }
}
