package dev.understudy.divergence.compare.value;

import dev.understudy.divergence.content.JsonText;
import dev.understudy.divergence.content.JsonValue;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * An object or array of JSON that stands in a text: as it is, in Base64, or percent-encoded.
 *
 * @param form how it is written
 */
record EmbeddedJson(Form form, JsonValue value) {
    private static final int SHORTEST_CODED = 8;
    /** What stands for bytes that are no UTF-8: different ones look alike. */
    private static final char REPLACEMENT = '\uFFFD';

    /** How a text holds JSON. */
    enum Form {
        PLAIN,
        BASE64,
        PERCENT
    }

    /** What a text holds; null if it isn't exactly one such value. */
    static @Nullable EmbeddedJson read(String text) {
        String bare = text.strip();
        if (begins(bare)) {
            return read(Form.PLAIN, utf8(bare));
        }
        if (bare.startsWith("%7B") || bare.startsWith("%5B") || bare.startsWith("%7b") || bare.startsWith("%5b")) {
            return read(Form.PERCENT, percent(bare));
        }
        return bare.length() >= SHORTEST_CODED && (bare.startsWith("e") || bare.startsWith("W"))
                ? read(Form.BASE64, base64(bare))
                : null;
    }

    private static boolean begins(String text) {
        return !text.isEmpty() && (text.charAt(0) == '{' || text.charAt(0) == '[');
    }

    private static @Nullable EmbeddedJson read(Form form, byte @Nullable [] utf8) {
        JsonValue value = utf8 == null ? null : JsonText.parseExtended(utf8);
        boolean holds = value instanceof JsonValue.Obj || value instanceof JsonValue.Arr;
        return value != null && holds ? new EmbeddedJson(form, value) : null;
    }

    /** Null if a character of it is half of one. */
    private static byte @Nullable [] utf8(String text) {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] utf8 = new byte[bytes.remaining()];
            bytes.get(utf8);
            return utf8;
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static byte @Nullable [] percent(String text) {
        try {
            String decoded = URLDecoder.decode(text, StandardCharsets.UTF_8);
            return decoded.indexOf(REPLACEMENT) >= 0 ? null : utf8(decoded);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static byte @Nullable [] base64(String text) {
        try {
            boolean url = text.indexOf('-') >= 0 || text.indexOf('_') >= 0;
            return (url ? Base64.getUrlDecoder() : Base64.getDecoder()).decode(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
