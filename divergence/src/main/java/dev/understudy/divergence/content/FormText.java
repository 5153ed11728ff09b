package dev.understudy.divergence.content;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads {@code application/x-www-form-urlencoded} strictly. */
public final class FormText {
    private static final int HEX = 16;

    private FormText() {}

    /** The values of each name, in order; null if it isn't such a text in UTF-8. */
    public static @Nullable Map<String, List<String>> parse(byte[] text) {
        String ascii = new String(text, StandardCharsets.ISO_8859_1);
        Map<String, List<String>> fields = new LinkedHashMap<>();
        for (String field : ascii.split("&", -1)) {
            int equals = field.indexOf('=');
            String name = equals < 0 ? null : decoded(field.substring(0, equals));
            String value = equals < 0 ? null : decoded(field.substring(equals + 1));
            if (name == null || value == null) {
                return null;
            }
            fields.computeIfAbsent(name, first -> new ArrayList<>()).add(value);
        }
        return fields;
    }

    private static @Nullable String decoded(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                int high = i + 1 < text.length() ? Character.digit(text.charAt(i + 1), HEX) : -1;
                int low = i + 2 < text.length() ? Character.digit(text.charAt(i + 2), HEX) : -1;
                if (high < 0 || low < 0) {
                    return null;
                }
                bytes.write(high * HEX + low);
                i += 2;
            } else if (c <= ' ' || c > '~') {
                return null;
            } else {
                bytes.write(c == '+' ? ' ' : c);
            }
        }
        return JsonText.decode(bytes.toByteArray(), StandardCharsets.UTF_8);
    }
}
