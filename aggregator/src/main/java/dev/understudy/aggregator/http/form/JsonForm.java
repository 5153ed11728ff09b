package dev.understudy.aggregator.http.form;

import dev.understudy.divergence.content.JsonText;
import dev.understudy.divergence.content.JsonValue;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What counts of a JSON body, as bytes that two bodies share only if all that counts of them is equal. */
final class JsonForm {
    /** Values beyond which a body counts as a whole, since each takes memory while it is read. */
    static final int MOST = 200_000;

    private static final String QUERY = "query";
    private static final String GRAPHQL = "graphql ";

    private JsonForm() {}

    /** The value that counts, and its bytes. */
    record Counted(JsonValue value, byte[] bytes) {}

    /**
     * What counts; null if the body isn't exactly one JSON text, and counts as a whole.
     *
     * @param sorted whether the order of an object's members doesn't count
     * @param graphQl whether a {@code query} of the text, or of each in a list, counts by its tokens
     */
    static @Nullable Counted counted(byte[] body, List<JsonPath> ignored, boolean sorted, boolean graphQl) {
        JsonValue value = values(body) > MOST ? null : JsonText.parse(body);
        if (value == null) {
            return null;
        }
        for (JsonPath path : ignored) {
            value = path.removedFrom(value);
        }
        value = graphQl ? byTokens(value) : value;
        StringBuilder text = new StringBuilder(body.length);
        write(value, sorted, text);
        byte[] bytes = bytes(text);
        return bytes == null ? null : new Counted(value, bytes);
    }

    private static JsonValue byTokens(JsonValue value) {
        if (value instanceof JsonValue.Arr batch) {
            return new JsonValue.Arr(batch.items().stream()
                    .map(item -> item instanceof JsonValue.Obj ? byTokens(item) : item)
                    .toList());
        }
        if (value instanceof JsonValue.Obj request && request.members().get(QUERY) instanceof JsonValue.Str document) {
            String tokens = GraphQlText.tokens(document.text());
            if (tokens != null) {
                Map<String, JsonValue> members = new LinkedHashMap<>(request.members());
                members.put(QUERY, new JsonValue.Num(GRAPHQL + tokens)); // as no number is
                return new JsonValue.Obj(members);
            }
        }
        return value;
    }

    /** At least as many as there are. */
    private static int values(byte[] body) {
        int values = 1;
        for (byte b : body) {
            values += b == ',' || b == '[' || b == '{' ? 1 : 0;
        }
        return values;
    }

    /** In UTF-8; null if a half of a pair stands alone, as no encoding has bytes for it. */
    private static byte @Nullable [] bytes(CharSequence text) {
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static void write(JsonValue value, boolean sorted, StringBuilder text) {
        if (value instanceof JsonValue.Obj object) {
            text.append('{').append(object.members().size());
            for (Map.Entry<String, JsonValue> member : members(object, sorted).entrySet()) {
                write('k', member.getKey(), text);
                write(member.getValue(), sorted, text);
            }
        } else if (value instanceof JsonValue.Arr array) {
            text.append('[').append(array.items().size());
            array.items().forEach(item -> write(item, sorted, text));
        } else if (value instanceof JsonValue.Str string) {
            write('s', string.text(), text);
        } else if (value instanceof JsonValue.Num number) {
            write('n', number.text(), text);
        } else {
            text.append(value instanceof JsonValue.Bool bool ? (bool.value() ? 't' : 'f') : '0');
        }
    }

    private static Map<String, JsonValue> members(JsonValue.Obj object, boolean sorted) {
        return sorted ? new TreeMap<>(object.members()) : object.members();
    }

    /** Its length first, so that no text can look like two. */
    private static void write(char kind, String value, StringBuilder text) {
        text.append(kind).append(value.length()).append(':').append(value);
    }
}
