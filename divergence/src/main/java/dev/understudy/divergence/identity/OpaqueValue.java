package dev.understudy.divergence.identity;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Recognises values that only a random generator makes: UUIDs, long hexadecimal and base64 strings, ULIDs, signed
 * tokens. Words, numbers, dates and readable keys are never opaque, nor is base64 of something readable.
 */
public final class OpaqueValue {
    static final int MIN_LENGTH = 16;
    static final int MAX_LENGTH = 4096;

    private static final int MIN_DISTINCT = 6;
    private static final double MIN_CHANGED = 0.4; // time-ordered ids share their first third

    private enum Shape {
        UUID,
        HEX,
        WORD,
        BASE64;

        /** Whether a person or a catalogue could have made something like it, too. */
        boolean isWeak() {
            return this == WORD || this == BASE64;
        }
    }

    private OpaqueValue() {}

    /**
     * Whether both are opaque, of the same shape and length, and as different as two random values are.
     *
     * @param weakToo whether the place says that it holds an identity, so that shapes that product names and the
     *     like may have, too, count as well
     */
    public static boolean alike(String first, String second, boolean weakToo) {
        if (first.length() > MAX_LENGTH || second.length() > MAX_LENGTH) {
            return false;
        }
        if (SignedToken.looksLike(first) && SignedToken.looksLike(second)) {
            return SignedToken.alike(first, second);
        }
        Shape shape = shape(first);
        if (shape == null || shape != shape(second) || (shape.isWeak() && !weakToo)) {
            return false;
        }
        String readable = readable(first);
        String other = readable(second);
        if (readable != null || other != null) {
            return readable != null && other != null && alike(readable, other, weakToo);
        }
        return changed(first, second);
    }

    /** Whether it could be one of two values that are {@linkplain #alike alike}. */
    static boolean isOpaque(String value) {
        return value.length() <= MAX_LENGTH && (SignedToken.looksLike(value) || shape(value) != null);
    }

    private static @Nullable Shape shape(String value) {
        int length = value.length();
        if (length < MIN_LENGTH || distinct(value) < MIN_DISTINCT) {
            return null;
        }
        if (isUuid(value)) {
            return Shape.UUID;
        }
        int digits = 0;
        int upper = 0;
        int lower = 0;
        int hex = 0;
        int turns = 0;
        int last = -1;
        for (int i = 0; i < length; i++) {
            char c = value.charAt(i);
            int group;
            if (c >= '0' && c <= '9') {
                digits++;
                group = 0;
            } else if (c >= 'A' && c <= 'Z') {
                upper++;
                group = 1;
            } else if (c >= 'a' && c <= 'z') {
                lower++;
                group = 2;
            } else if ("+/_-=".indexOf(c) >= 0) {
                group = last;
            } else {
                return null;
            }
            hex += Character.digit(c, 16) >= 0 ? 1 : 0;
            turns += last >= 0 && group != last ? 1 : 0;
            last = group;
        }
        if (digits == length) {
            return null;
        }
        boolean plain = digits + upper + lower == length;
        boolean oneCase = upper == 0 || lower == 0;
        if (hex == length && oneCase && digits > 0) {
            return Shape.HEX;
        }
        if (plain && oneCase && digits > 0 && length >= 20 && 4 * turns >= length) {
            return Shape.WORD;
        }
        int turnsPerTen = digits > 0 ? 3 : 4; // compound words have a capital every few letters
        return upper > 0 && lower > 0 && 10 * turns >= turnsPerTen * length ? Shape.BASE64 : null;
    }

    static boolean isUuid(String value) {
        if (value.length() != 36) {
            return false;
        }
        for (int i = 0; i < 36; i++) {
            boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
            if (dash ? value.charAt(i) != '-' : Character.digit(value.charAt(i), 16) < 0) {
                return false;
            }
        }
        return true;
    }

    private static int distinct(String value) {
        long low = 0;
        long high = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < 64) {
                low |= 1L << c;
            } else {
                high |= 1L << (c & 63);
            }
        }
        return Long.bitCount(low) + Long.bitCount(high);
    }

    private static boolean changed(String first, String second) {
        int length = first.length();
        int changed = 0;
        for (int i = 0; i < length && length == second.length(); i++) {
            changed += first.charAt(i) == second.charAt(i) ? 0 : 1;
        }
        return changed >= MIN_CHANGED * length;
    }

    /** What base64 encodes, if that is printable text. */
    private static @Nullable String readable(String value) {
        byte[] decoded;
        try {
            boolean url = value.indexOf('-') >= 0 || value.indexOf('_') >= 0;
            decoded = (url ? Base64.getUrlDecoder() : Base64.getDecoder()).decode(value);
        } catch (IllegalArgumentException e) {
            return null;
        }
        for (byte b : decoded) {
            if (b < ' ' || b == 127) {
                return null;
            }
        }
        return new String(decoded, StandardCharsets.US_ASCII);
    }
}
