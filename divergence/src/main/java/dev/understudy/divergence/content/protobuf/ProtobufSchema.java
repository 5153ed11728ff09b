package dev.understudy.divergence.content.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages, enumerations and gRPC methods of a {@code FileDescriptorSet}, as
 * {@code protoc --include_imports --descriptor_set_out} writes it. Immutable.
 */
public final class ProtobufSchema {
    /** One that knows no message. */
    public static final ProtobufSchema NONE = new ProtobufSchema();

    private static final int DEEPEST = 64;

    private final Map<String, MessageType> messages = new HashMap<>();
    private final Map<String, Map<Integer, String>> enums = new HashMap<>();
    private final Map<String, String> outputs = new HashMap<>();

    private ProtobufSchema() {}

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException if it isn't a set of descriptors, or has no message
     */
    public static ProtobufSchema read(byte[] set) {
        ProtobufSchema schema = new ProtobufSchema();
        for (WireField file : fields(set)) {
            if (file.number() == 1) {
                schema.file(file.bytes());
            }
        }
        if (schema.messages.isEmpty()) {
            throw malformed();
        }
        return schema;
    }

    /** Whether it knows a message of that full name, such as {@code shop.v1.Order}. */
    public boolean knows(String message) {
        return messages.containsKey("." + message);
    }

    /** The full name of what a gRPC method answers with; null if the method isn't known. */
    public @Nullable String answerOf(String path) {
        return outputs.get(path);
    }

    /** @param name with a leading dot */
    @Nullable
    MessageType message(String name) {
        return messages.get(name);
    }

    /** The name of an enumeration's number; null if none is known. */
    @Nullable
    String constant(String enumeration, int number) {
        return enums.getOrDefault(enumeration, Map.of()).get(number);
    }

    private void file(byte[] file) {
        List<WireField> fields = fields(file);
        String scope = fields.stream()
                .filter(field -> field.number() == 2)
                .map(field -> "." + text(field))
                .findFirst()
                .orElse("");
        for (WireField field : fields) {
            switch (field.number()) {
                case 4 -> message(scope, field.bytes(), 0);
                case 5 -> enumeration(scope, field.bytes());
                case 6 -> service(scope, field.bytes());
                default -> {}
            }
        }
    }

    private void message(String scope, byte[] message, int depth) {
        if (depth > DEEPEST) {
            throw malformed();
        }
        List<WireField> parts = fields(message);
        String name = scope + "." + name(parts);
        Map<Integer, FieldType> declared = new HashMap<>();
        boolean entry = false;
        for (WireField part : parts) {
            switch (part.number()) {
                case 2 -> field(declared, part.bytes());
                case 3 -> message(name, part.bytes(), depth + 1);
                case 4 -> enumeration(name, part.bytes());
                case 7 -> entry = number(fields(part.bytes()), 7) == 1;
                default -> {}
            }
        }
        messages.put(name, new MessageType(declared, entry));
    }

    private static void field(Map<Integer, FieldType> declared, byte[] field) {
        List<WireField> parts = fields(field);
        boolean repeated = number(parts, 4) == 3;
        String type = parts.stream()
                .filter(part -> part.number() == 6)
                .map(ProtobufSchema::text)
                .findFirst()
                .orElse("");
        declared.put((int) number(parts, 3), new FieldType(name(parts), (int) number(parts, 5), repeated, type));
    }

    private void enumeration(String scope, byte[] enumeration) {
        List<WireField> parts = fields(enumeration);
        Map<Integer, String> constants = new HashMap<>();
        for (WireField part : parts) {
            if (part.number() == 2) {
                List<WireField> constant = fields(part.bytes());
                constants.putIfAbsent((int) number(constant, 2), name(constant));
            }
        }
        enums.put(scope + "." + name(parts), constants);
    }

    private void service(String scope, byte[] service) {
        List<WireField> parts = fields(service);
        String prefix = "/" + (scope + "." + name(parts)).substring(1) + "/";
        for (WireField part : parts) {
            if (part.number() == 2) {
                List<WireField> method = fields(part.bytes());
                for (WireField output : method) {
                    if (output.number() == 3 && text(output).startsWith(".")) {
                        outputs.put(prefix + name(method), text(output).substring(1));
                    }
                }
            }
        }
    }

    private static String name(List<WireField> parts) {
        return parts.stream()
                .filter(part -> part.number() == 1)
                .map(ProtobufSchema::text)
                .findFirst()
                .orElseThrow(ProtobufSchema::malformed);
    }

    private static long number(List<WireField> parts, int number) {
        return parts.stream()
                .filter(part -> part.number() == number)
                .mapToLong(WireField::value)
                .reduce(0, (first, last) -> last);
    }

    private static String text(WireField field) {
        return new String(field.bytes(), StandardCharsets.UTF_8);
    }

    private static List<WireField> fields(byte[] message) {
        List<WireField> fields = WireReader.fields(message);
        if (fields == null) {
            throw malformed();
        }
        return fields;
    }

    private static IllegalArgumentException malformed() {
        return new IllegalArgumentException(
                "not a FileDescriptorSet (expected: what protoc --descriptor_set_out writes)");
    }
}
