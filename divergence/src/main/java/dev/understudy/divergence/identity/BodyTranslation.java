package dev.understudy.divergence.identity;

import dev.understudy.divergence.content.MediaType;
import dev.understudy.divergence.identity.Translation.Dictionary;
import java.nio.charset.StandardCharsets;

/** Finds known values in the bodies of requests: forms, JSON, and whatever else is text. */
final class BodyTranslation {
    private static final String MARKS = "+-./=_~";

    private BodyTranslation() {}

    /** The body with others in place of known values; the same array if there is none. */
    static byte[] ofBody(MediaType type, byte[] body, Dictionary dictionary) {
        String text = new String(body, StandardCharsets.ISO_8859_1); // identities are ASCII, the rest stays as it is
        String changed = type.isForm()
                ? PercentText.fields(text, dictionary)
                : type.isJson() ? ofJson(text, dictionary) : Translation.ofText(text, dictionary);
        return changed.equals(text) ? body : changed.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Whether a body of that type is text that may carry an identity. */
    static boolean reads(MediaType type) {
        return type.isForm() || type.isJson() || type.isText() || type.isMultipart();
    }

    /** What is escaped in a string of JSON is read as what it stands for. */
    private static String ofJson(String json, Dictionary dictionary) {
        if (json.indexOf('\\') < 0) {
            return Translation.ofText(json, dictionary);
        }
        StringBuilder changed = new StringBuilder(json.length() + 16);
        int copied = 0;
        int start = json.indexOf('"');
        while (start >= 0) {
            int end = endOfString(json, start);
            if (end < 0) {
                break;
            }
            changed.append(Translation.ofText(json.substring(copied, start), dictionary))
                    .append(string(json.substring(start, end), dictionary));
            copied = end;
            start = json.indexOf('"', end);
        }
        return changed.append(Translation.ofText(json.substring(copied), dictionary))
                .toString();
    }

    /** Behind the closing quote of the string that begins at {@code start}; -1 if it doesn't end. */
    private static int endOfString(String json, int start) {
        for (int i = start + 1; i < json.length(); i++) {
            if (json.charAt(i) == '\\') {
                i++;
            } else if (json.charAt(i) == '"') {
                return i + 1;
            }
        }
        return -1;
    }

    private static String string(String quoted, Dictionary dictionary) {
        if (quoted.indexOf('\\') >= 0) {
            // only what an identity may contain is written out; such characters need no escape
            String plain = unescaped(quoted);
            String changed = Translation.ofText(plain, dictionary);
            return changed.equals(plain) ? quoted : changed;
        }
        return Translation.ofText(quoted, dictionary);
    }

    private static String unescaped(String quoted) {
        StringBuilder plain = new StringBuilder(quoted.length());
        for (int i = 0; i < quoted.length(); i++) {
            char c = quoted.charAt(i);
            if (c != '\\' || i + 1 == quoted.length()) {
                plain.append(c);
                continue;
            }
            char next = quoted.charAt(++i);
            int code = next == '/' ? '/' : next == 'u' ? code(quoted, i + 1) : -1;
            if (code < 0 || !isOfIdentity(code)) {
                plain.append(c).append(next);
            } else {
                plain.append((char) code);
                i += next == 'u' ? 4 : 0;
            }
        }
        return plain.toString();
    }

    private static int code(String text, int at) {
        int code = 0;
        for (int i = at; i < at + 4; i++) {
            int digit = i < text.length() ? Character.digit(text.charAt(i), 16) : -1;
            if (digit < 0) {
                return -1;
            }
            code = code << 4 | digit;
        }
        return code;
    }

    private static boolean isOfIdentity(int code) {
        return MARKS.indexOf(code) >= 0
                || (code >= '0' && code <= '9')
                || (code >= 'A' && code <= 'Z')
                || (code >= 'a' && code <= 'z');
    }
}
