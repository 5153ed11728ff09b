package dev.understudy.divergence.content.protobuf;

/**
 * A field as its descriptor declares it.
 *
 * @param type a number of {@code FieldDescriptorProto.Type}
 * @param typeName of messages and enumerations, with a leading dot; "" for others
 */
record FieldType(String name, int type, boolean repeated, String typeName) {
    static final int DOUBLE = 1;
    static final int FLOAT = 2;
    static final int INT64 = 3;
    static final int UINT64 = 4;
    static final int INT32 = 5;
    static final int FIXED64 = 6;
    static final int FIXED32 = 7;
    static final int BOOL = 8;
    static final int STRING = 9;
    static final int MESSAGE = 11;
    static final int BYTES = 12;
    static final int UINT32 = 13;
    static final int ENUM = 14;
    static final int SFIXED32 = 15;
    static final int SFIXED64 = 16;
    static final int SINT32 = 17;
    static final int SINT64 = 18;

    /** How one value of it stands on the wire. */
    int wireType() {
        return switch (type) {
            case DOUBLE, FIXED64, SFIXED64 -> WireField.EIGHT;
            case FLOAT, FIXED32, SFIXED32 -> WireField.FOUR;
            case STRING, MESSAGE, BYTES -> WireField.COUNTED;
            default -> WireField.VARINT;
        };
    }
}
