package dev.understudy.divergence.content;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The value of a Content-Type header (RFC 9110, section 8.3), normalised: two are equal if they mean the same.
 *
 * @param type e.g. {@code application/json}, in lower case
 * @param parameters by name in lower case; a charset's value is in lower case, too
 */
public record MediaType(String type, Map<String, String> parameters) {
    public MediaType {
        parameters = Map.copyOf(parameters);
    }

    /** What the header says, or null if there is none or it's malformed. */
    public static @Nullable MediaType of(@Nullable String header) {
        if (header == null) {
            return null;
        }
        String[] parts = header.split(";", -1);
        String type = parts[0].strip().toLowerCase(Locale.ROOT);
        int slash = type.indexOf('/');
        if (slash <= 0 || slash == type.length() - 1 || header.indexOf('\\') >= 0) {
            return null;
        }
        Map<String, String> parameters = new TreeMap<>();
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            if (equals <= 0) {
                return null;
            }
            String name = parts[i].substring(0, equals).strip().toLowerCase(Locale.ROOT);
            String value = unquoted(parts[i].substring(equals + 1).strip());
            if (parameters.put(name, name.equals("charset") ? value.toLowerCase(Locale.ROOT) : value) != null) {
                return null;
            }
        }
        return new MediaType(type, parameters);
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    public boolean isJson() {
        return type.endsWith("/json") || type.endsWith("+json");
    }

    public boolean isXml() {
        return type.endsWith("/xml") || type.endsWith("+xml");
    }

    /** Whether it is in several parts with a boundary between. */
    public boolean isMultipart() {
        return type.startsWith("multipart/");
    }

    public boolean isForm() {
        return type.equals("application/x-www-form-urlencoded");
    }

    /** Whether lines of this type are worth comparing. */
    public boolean isText() {
        return type.startsWith("text/")
                || isXml()
                || type.endsWith("yaml")
                || type.endsWith("/javascript")
                || type.endsWith("ndjson")
                || isForm();
    }

    /** The charset named, UTF-8 if none is, or null if it's unknown. */
    public @Nullable Charset charset() {
        String name = parameters.get("charset");
        try {
            return name == null ? StandardCharsets.UTF_8 : Charset.forName(name);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
