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
 * @param text the text itself
 */
record EmbeddedJson(Form form, JsonValue value, String text) {
    private static final int SHORTEST_CODED = 8;
    /** All that JSON knows (RFC 8259, section 2). */
    private static final String BLANKS = " \t\r\n";
    /** What stands for bytes that are no UTF-8: different ones look alike. */
    private static final char REPLACEMENT = '\uFFFD';

    /** How a text holds JSON. */
    enum Form {
        PLAIN,
        BASE64,
        PERCENT
    }

    /** What a text holds; null if it isn't exactly one such value, with such blanks around as JSON may have. */
    static @Nullable EmbeddedJson read(String text) {
        if (begins(text)) {
            return read(Form.PLAIN, text);
        }
        if (text.startsWith("%7B") || text.startsWith("%5B") || text.startsWith("%7b") || text.startsWith("%5b")) {
            return read(Form.PERCENT, text);
        }
        boolean coded = text.length() >= SHORTEST_CODED && (text.startsWith("e") || text.startsWith("W"));
        return coded ? read(Form.BASE64, text) : null;
    }

    /** Whether another value of this form is written in the same way, so that only values differ. */
    boolean isWrittenAs(EmbeddedJson other) {
        return JsonCoding.isSame(form, text, other.text);
    }

    private static boolean begins(String text) {
        int at = 0;
        while (at < text.length() && BLANKS.indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at < text.length() && (text.charAt(at) == '{' || text.charAt(at) == '[');
    }

    private static @Nullable EmbeddedJson read(Form form, String text) {
        byte[] utf8 = utf8(form, text);
        JsonValue value = utf8 == null ? null : JsonText.parseExtended(utf8);
        boolean holds = value instanceof JsonValue.Obj || value instanceof JsonValue.Arr;
        return value != null && holds ? new EmbeddedJson(form, value, text) : null;
    }

    /** The JSON that a text of this form holds; null if it isn't of this form. */
    static byte @Nullable [] utf8(Form form, String text) {
        return switch (form) {
            case PLAIN -> utf8(text);
            case BASE64 -> base64(text);
            case PERCENT -> percent(text);
        };
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
