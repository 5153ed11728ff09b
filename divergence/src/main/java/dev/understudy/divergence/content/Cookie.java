package dev.understudy.divergence.content;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The value of one Set-Cookie header (RFC 6265, section 5.2).
 *
 * @param value as sent, without blanks around it; quotes belong to it
 * @param attributes by name in lower case; flags have an empty value
 */
public record Cookie(String name, String value, Map<String, String> attributes) {
    public Cookie {
        attributes = Map.copyOf(attributes);
    }

    /** The cookie set, or null if there's no name or an attribute occurs twice. */
    public static @Nullable Cookie of(String header) {
        String[] parts = header.split(";", -1);
        int equals = parts[0].indexOf('=');
        if (equals <= 0) {
            return null;
        }
        Map<String, String> attributes = new TreeMap<>();
        for (int i = 1; i < parts.length; i++) {
            int sign = parts[i].indexOf('=');
            String name = (sign < 0 ? parts[i] : parts[i].substring(0, sign)).strip();
            String value = sign < 0 ? "" : parts[i].substring(sign + 1).strip();
            if (attributes.put(name.toLowerCase(Locale.ROOT), value) != null) {
                return null;
            }
        }
        return new Cookie(
                parts[0].substring(0, equals).strip(),
                parts[0].substring(equals + 1).strip(),
                attributes);
    }
}
