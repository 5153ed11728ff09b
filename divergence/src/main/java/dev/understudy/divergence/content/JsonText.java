package dev.understudy.divergence.content;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a JSON text strictly; whatever could be understood in two ways isn't JSON here. */
public final class JsonText {
    /** Deeper texts aren't read. */
    public static final int MAX_DEPTH = 200;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES) // names come from outside; Jackson's own table is bounded
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(10_000)
                    .build())
            .build();

    private static final JsonFactory EXTENDED = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .streamReadConstraints(FACTORY.streamReadConstraints())
            .build();

    private static final JsonFactory ARRIVING = EXTENDED.rebuild()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(10_000)
                    .maxStringLength(1 << 20)
                    .build())
            .build();

    private JsonText() {}

    /**
     * The value of a UTF-8 text, or null if it isn't exactly one: malformed UTF-8 or JSON, a name twice in
     * one object, a second value, too deep.
     */
    public static @Nullable JsonValue parse(byte[] utf8) {
        return parse(FACTORY, utf8);
    }

    /** As {@link #parse}, and {@code NaN} and infinities are numbers, as some libraries write them. */
    public static @Nullable JsonValue parseExtended(byte[] utf8) {
        return parse(EXTENDED, utf8);
    }

    private static @Nullable JsonValue parse(JsonFactory factory, byte[] utf8) {
        try (JsonParser parser = parser(factory, utf8)) {
            if (parser == null) {
                return null;
            }
            JsonToken token = parser.nextToken();
            JsonValue value = token == null ? null : value(parser, token);
            return value == null || parser.nextToken() != null ? null : value;
        } catch (IOException | IllegalStateException e) {
            return null;
        }
    }

    /** A reader of a UTF-8 text, before its first token; null if a byte of it is malformed. */
    public static @Nullable JsonParser parser(byte[] utf8) throws IOException {
        return parser(FACTORY, utf8);
    }

    private static @Nullable JsonParser parser(JsonFactory factory, byte[] utf8) throws IOException {
        if (isPlain(utf8)) {
            return factory.createParser(utf8);
        }
        String text = decode(utf8, StandardCharsets.UTF_8);
        return text == null ? null : factory.createParser(text);
    }

    /** A reader of a UTF-8 text that arrives in pieces; it takes some that are malformed UTF-8, and names twice. */
    public static JsonParser arriving() throws IOException {
        return ARRIVING.createNonBlockingByteArrayParser();
    }

    /** Ends a reader that is no longer needed. */
    public static void close(@Nullable JsonParser parser) {
        try {
            if (parser != null) {
                parser.close();
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("reading from memory", e);
        }
    }

    /** ASCII without control characters other than blanks, so that no encoding but UTF-8 could be detected. */
    private static boolean isPlain(byte[] bytes) {
        for (byte b : bytes) {
            if (b < '\t') {
                return false;
            }
        }
        return true;
    }

    /** Whether no byte of it is malformed UTF-8. */
    public static boolean isUtf8(byte[] bytes) {
        return isPlain(bytes) || decode(bytes, StandardCharsets.UTF_8) != null;
    }

    /** The text in that charset, or null if a byte of it is malformed. */
    public static @Nullable String decode(byte[] bytes, Charset charset) {
        try {
            return charset.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static @Nullable JsonValue value(JsonParser parser, JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> new JsonValue.Str(parser.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonValue.Num(parser.getText());
            case VALUE_TRUE -> new JsonValue.Bool(true);
            case VALUE_FALSE -> new JsonValue.Bool(false);
            case VALUE_NULL -> new JsonValue.Nil();
            default -> null;
        };
    }

    private static @Nullable JsonValue object(JsonParser parser) throws IOException {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            JsonValue member = token == null ? null : value(parser, token);
            if (member == null || members.put(name, member) != null) {
                return null;
            }
        }
        return parser.currentToken() == JsonToken.END_OBJECT ? new JsonValue.Obj(members) : null;
    }

    private static @Nullable JsonValue array(JsonParser parser) throws IOException {
        List<JsonValue> items = new ArrayList<>();
        JsonToken token = parser.nextToken();
        while (token != null && token != JsonToken.END_ARRAY) {
            JsonValue item = value(parser, token);
            if (item == null) {
                return null;
            }
            items.add(item);
            token = parser.nextToken();
        }
        return token == null ? null : new JsonValue.Arr(items);
    }
}
