package dev.understudy.aggregator.http.form;

import dev.understudy.divergence.content.JsonText;
import dev.understudy.divergence.content.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What counts of a JSON body, as bytes that two bodies share only if all that counts of them is equal. */
final class JsonForm {
    /** Bytes beyond which a body counts as a whole. */
    static final int LONGEST = 1 << 20;

    private JsonForm() {}

    /** Whether a body of this media type is JSON. */
    static boolean isJson(@Nullable String contentType) {
        String type =
                contentType == null ? "" : contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return type.equals("application/json") || type.endsWith("+json");
    }

    /** What counts; null if the body isn't exactly one JSON text, and counts as a whole. */
    static byte @Nullable [] counted(byte[] body, List<JsonPath> ignored) {
        JsonValue value = JsonText.parse(body);
        if (value == null) {
            return null;
        }
        for (JsonPath path : ignored) {
            value = path.removedFrom(value);
        }
        StringBuilder text = new StringBuilder(body.length);
        write(value, text);
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void write(JsonValue value, StringBuilder text) {
        if (value instanceof JsonValue.Obj object) {
            text.append('{').append(object.members().size());
            for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                write('k', member.getKey(), text);
                write(member.getValue(), text);
            }
        } else if (value instanceof JsonValue.Arr array) {
            text.append('[').append(array.items().size());
            array.items().forEach(item -> write(item, text));
        } else if (value instanceof JsonValue.Str string) {
            write('s', string.text(), text);
        } else if (value instanceof JsonValue.Num number) {
            write('n', number.text(), text);
        } else {
            text.append(value instanceof JsonValue.Bool bool ? (bool.value() ? 't' : 'f') : '0');
        }
    }

    /** Its length first, so that no text can look like two. */
    private static void write(char kind, String value, StringBuilder text) {
        text.append(kind).append(value.length()).append(':').append(value);
    }
}
