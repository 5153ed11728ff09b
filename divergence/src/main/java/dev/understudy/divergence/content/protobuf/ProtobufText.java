package dev.understudy.divergence.content.protobuf;

import dev.understudy.divergence.content.JsonText;
import dev.understudy.divergence.content.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a message as a tree. Two messages that a program could tell apart are never the same tree.
 *
 * <p>Fields of which the type is known have their names, others are {@code #} and their number, with all their values
 * as they stand on the wire: text if it is that, else bytes, of which nobody knows whether they are a message. A field
 * that isn't repeated and yet stands there several times has all its values.
 */
public final class ProtobufText {
    private static final int DEEPEST = 64;

    private final ProtobufSchema schema;

    private ProtobufText(ProtobufSchema schema) {
        this.schema = schema;
    }

    /**
     * The message's tree; null if it is none.
     *
     * @param type its full name; null, or one that the schema doesn't know, for by numbers only
     */
    public static @Nullable JsonValue parse(byte[] message, ProtobufSchema schema, @Nullable String type) {
        try {
            return new ProtobufText(schema).message(message, type == null ? null : schema.message("." + type), 0);
        } catch (WireReader.MalformedException malformed) {
            return null;
        }
    }

    private JsonValue message(byte[] message, @Nullable MessageType type, int depth)
            throws WireReader.MalformedException {
        List<WireField> fields = WireReader.fields(message);
        if (fields == null || depth > DEEPEST) {
            throw new WireReader.MalformedException();
        }
        Map<String, List<JsonValue>> values = new LinkedHashMap<>();
        Map<String, FieldType> types = new LinkedHashMap<>();
        for (WireField field : fields) {
            FieldType known = type == null ? null : type.fields().get(field.number());
            List<JsonValue> read = known == null ? null : values(field, known, depth);
            String name = known == null || read == null ? "#" + field.number() : known.name();
            if (known != null && read != null) {
                types.put(name, known);
            }
            values.computeIfAbsent(name, first -> new ArrayList<>(1))
                    .addAll(read == null ? List.of(unknown(field)) : read);
        }
        Map<String, JsonValue> members = new LinkedHashMap<>();
        for (Map.Entry<String, List<JsonValue>> entry : values.entrySet()) {
            members.put(entry.getKey(), together(entry.getValue(), types.get(entry.getKey())));
        }
        return new JsonValue.Obj(members);
    }

    private JsonValue together(List<JsonValue> values, @Nullable FieldType type) {
        if (type == null || (!type.repeated() && values.size() > 1)) {
            return new JsonValue.Arr(values);
        }
        MessageType entry = type.type() == FieldType.MESSAGE ? schema.message(type.typeName()) : null;
        if (type.repeated() && entry != null && entry.entry()) {
            return map(values);
        }
        return type.repeated() ? new JsonValue.Arr(values) : values.get(0);
    }

    /** By keys, in no order; as it stands there if a key is there twice, or an entry isn't one. */
    private static JsonValue map(List<JsonValue> entries) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        for (JsonValue one : entries) {
            Map<String, JsonValue> entry = one instanceof JsonValue.Obj object ? object.members() : Map.of();
            JsonValue key = entry.get("key");
            JsonValue value = entry.get("value");
            String name = key instanceof JsonValue.Str text
                    ? text.text()
                    : key instanceof JsonValue.Num number
                            ? number.text()
                            : key instanceof JsonValue.Bool bool ? Boolean.toString(bool.value()) : null;
            if (entry.size() != 2 || name == null || value == null || members.put(name, value) != null) {
                return new JsonValue.Arr(entries);
            }
        }
        return new JsonValue.Obj(members);
    }

    /** The values of a field; several if they are packed. Null if the field isn't of that type. */
    private @Nullable List<JsonValue> values(WireField field, FieldType type, int depth)
            throws WireReader.MalformedException {
        int expected = type.wireType();
        if (type.repeated() && field.type() == WireField.COUNTED && expected != WireField.COUNTED) {
            return packed(field.bytes(), type);
        }
        if (field.type() != expected) {
            return null;
        }
        if (expected != WireField.COUNTED) {
            return List.of(scalar(field.value(), type));
        }
        if (type.type() == FieldType.MESSAGE) {
            return List.of(message(field.bytes(), schema.message(type.typeName()), depth + 1));
        }
        if (type.type() != FieldType.STRING) {
            return List.of(bytes(field.bytes()));
        }
        String text = JsonText.decode(field.bytes(), StandardCharsets.UTF_8);
        if (text == null) {
            return null;
        }
        return List.of(new JsonValue.Str(text));
    }

    private @Nullable List<JsonValue> packed(byte[] bytes, FieldType type) {
        WireReader reader = new WireReader(bytes);
        List<JsonValue> values = new ArrayList<>();
        try {
            while (!reader.atEnd()) {
                long value = switch (type.wireType()) {
                    case WireField.EIGHT -> reader.fixed(8);
                    case WireField.FOUR -> reader.fixed(4);
                    default -> reader.varint();
                };
                values.add(scalar(value, type));
            }
            return values;
        } catch (WireReader.MalformedException malformed) {
            return null;
        }
    }

    private JsonValue scalar(long value, FieldType type) {
        return switch (type.type()) {
            case FieldType.DOUBLE -> number(Double.toString(Double.longBitsToDouble(value)), value);
            case FieldType.FLOAT -> number(Float.toString(Float.intBitsToFloat((int) value)), value);
            case FieldType.UINT64, FieldType.FIXED64 -> new JsonValue.Num(Long.toUnsignedString(value));
            case FieldType.UINT32, FieldType.FIXED32 -> cut(value, value & 0xffffffffL);
            case FieldType.SINT32, FieldType.SINT64 -> new JsonValue.Num(Long.toString((value >>> 1) ^ -(value & 1)));
            case FieldType.SFIXED32 -> new JsonValue.Num(Integer.toString((int) value));
            case FieldType.INT32 -> cut(value, value << 32 >> 32);
            case FieldType.BOOL ->
                value == 0 || value == 1
                        ? new JsonValue.Bool(value == 1)
                        : new JsonValue.Num(Long.toUnsignedString(value));
            case FieldType.ENUM -> {
                String name = value == (int) value ? schema.constant(type.typeName(), (int) value) : null;
                yield name == null ? new JsonValue.Num(Long.toString(value)) : new JsonValue.Str(name);
            }
            default -> new JsonValue.Num(Long.toString(value));
        };
    }

    /** What has more bits than its type is shown with all of them. */
    private static JsonValue cut(long value, long kept) {
        return value == kept
                ? new JsonValue.Num(Long.toString(value))
                : new JsonValue.Str("varint " + Long.toUnsignedString(value));
    }

    /** What isn't a number may have several spellings. */
    private static JsonValue number(String text, long bits) {
        boolean finite = !text.equals("NaN") && !text.endsWith("Infinity");
        return finite ? new JsonValue.Num(text) : new JsonValue.Str(text + ' ' + Long.toHexString(bits));
    }

    private static JsonValue unknown(WireField field) {
        if (field.type() != WireField.COUNTED) {
            JsonValue number = new JsonValue.Num(Long.toUnsignedString(field.value()));
            return switch (field.type()) {
                case WireField.EIGHT -> new JsonValue.Obj(Map.of("i64", number));
                case WireField.FOUR -> new JsonValue.Obj(Map.of("i32", number));
                default -> number;
            };
        }
        String text = JsonText.decode(field.bytes(), StandardCharsets.UTF_8);
        boolean readable = text != null && text.chars().noneMatch(c -> c < ' ' && c != '\n' && c != '\t' && c != '\r');
        return text != null && readable ? new JsonValue.Str(text) : bytes(field.bytes());
    }

    /** With a blank, which no identity has: nobody knows what other bytes mean. */
    private static JsonValue bytes(byte[] bytes) {
        JsonValue hex = new JsonValue.Str("hex " + HexFormat.of().formatHex(bytes));
        return new JsonValue.Obj(Map.of("bytes", hex));
    }
}
