package dev.understudy.sidecar.trace;

import java.nio.charset.StandardCharsets;

/**
 * Walks over the fields of a Protocol Buffers message where it lies: nothing is allocated for what nobody wants. A
 * malformed message ends where it begins to be one. Confined to one thread.
 */
final class WireCursor {
    private static final int LONGEST_VARINT = 10;

    private final byte[] data;
    private final int end;
    private int at;
    private int field;
    private int type;
    private long value;
    private int from;

    WireCursor(byte[] data) {
        this(data, 0, data.length);
    }

    private WireCursor(byte[] data, int at, int end) {
        this.data = data;
        this.at = at;
        this.end = end;
    }

    /** Goes on to the next field; false if there is none. */
    boolean next() {
        if (at >= end || !varint()) {
            return false;
        }
        field = (int) (value >>> 3);
        type = (int) (value & 7);
        return switch (type) {
            case 0 -> varint();
            case 1 -> fixed(8);
            case 5 -> fixed(4);
            case 2 -> counted();
            default -> false;
        };
    }

    /** Whether it is a field of that number, of counted bytes. */
    boolean isCounted(int number) {
        return field == number && type == 2;
    }

    /** Whether it is a field of that number, of eight bytes. */
    boolean isFixed(int number) {
        return field == number && type == 1;
    }

    /** Its eight bytes. */
    long value() {
        return value;
    }

    /** The message that it is. */
    WireCursor inside() {
        return new WireCursor(data, from, at);
    }

    /** The text that it is, at most so many bytes of it. */
    String text(int most) {
        return new String(data, from, Math.min(most, at - from), StandardCharsets.UTF_8);
    }

    /** How many bytes it has. */
    int length() {
        return at - from;
    }

    /** Eight of its bytes, the highest first. */
    long number(int offset) {
        long number = 0;
        for (int i = 0; i < 8; i++) {
            number = (number << 8) | (data[from + offset + i] & 0xff);
        }
        return number;
    }

    private boolean varint() {
        value = 0;
        for (int i = 0; i < LONGEST_VARINT && at < end; i++) {
            byte read = data[at++];
            value |= (long) (read & 0x7f) << (7 * i);
            if (read >= 0) {
                return true;
            }
        }
        return false;
    }

    private boolean fixed(int bytes) {
        if (end - at < bytes) {
            return false;
        }
        value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (data[at++] & 0xffL) << (8 * i);
        }
        return true;
    }

    private boolean counted() {
        if (!varint() || value < 0 || value > end - at) {
            return false;
        }
        from = at;
        at += (int) value;
        return true;
    }
}
