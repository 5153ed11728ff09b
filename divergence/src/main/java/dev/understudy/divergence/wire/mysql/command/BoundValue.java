package dev.understudy.divergence.wire.mysql.command;

import dev.understudy.divergence.wire.mysql.MalformedPacketException;
import dev.understudy.divergence.wire.mysql.MySqlReader;
import dev.understudy.divergence.wire.mysql.MySqlWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A value that is bound to a parameter, or an attribute of a query.
 *
 * @param name of an attribute; empty for a parameter
 * @param type the number of its type, and 0x8000 if it is unsigned
 * @param value as it stands behind its length, if it has one; null for NULL
 */
public record BoundValue(String name, int type, byte @Nullable [] value) {
    private static final int UNSIGNED = 0x8000;

    /** Reads a value of this type. */
    static byte[] read(MySqlReader in, int type) {
        return switch (type & 0xff) {
            case 0x01 -> in.bytes(1);
            case 0x02, 0x0d -> in.bytes(2);
            case 0x03, 0x04, 0x09 -> in.bytes(4);
            case 0x05, 0x08 -> in.bytes(8);
            case 0x06 -> new byte[0];
            case 0x07, 0x0a, 0x0b, 0x0c -> in.bytes(in.int8());
            case 0x00, 0x0e, 0x0f, 0x10, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff -> in.value();
            default -> throw new MalformedPacketException("type " + type + " of a parameter");
        };
    }

    /** All of it that counts, so that no two different values meet. */
    public byte[] canonical() {
        MySqlWriter out = new MySqlWriter().value(name);
        return value == null
                ? out.int8(0).toBytes()
                : out.int8(1).int16(type).bytes(value).toBytes();
    }

    /**
     * For people: numbers as they are; of anything else, which may be a secret, the length and a token that tells
     * values apart.
     */
    public String display() {
        byte[] bytes = value;
        String prefix = name.isEmpty() ? "" : name + "=";
        if (bytes == null) {
            return prefix + "NULL";
        }
        return prefix
                + switch (type & 0xff) {
                    case 0x01, 0x02, 0x03, 0x08, 0x09, 0x0d -> whole(bytes);
                    case 0x04 -> Float.toString(Float.intBitsToFloat(new MySqlReader(bytes).int32()));
                    case 0x05 -> Double.toString(Double.longBitsToDouble(new MySqlReader(bytes).int64()));
                    case 0xf6 -> new String(bytes, StandardCharsets.ISO_8859_1);
                    default -> "%d bytes #%04x".formatted(bytes.length, Arrays.hashCode(bytes) & 0xffff);
                };
    }

    private String whole(byte[] bytes) {
        long number = 0;
        for (int i = bytes.length - 1; i >= 0; i--) {
            number = (number << 8) | (bytes[i] & 0xff);
        }
        if ((type & UNSIGNED) != 0) {
            return Long.toUnsignedString(number);
        }
        int unused = Long.SIZE - 8 * bytes.length;
        return Long.toString(number << unused >> unused);
    }
}
