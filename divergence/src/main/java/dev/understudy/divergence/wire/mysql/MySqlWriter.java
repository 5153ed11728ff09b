package dev.understudy.divergence.wire.mysql;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Builds a payload field by field, least significant byte first. */
public final class MySqlWriter {
    private byte[] payload = new byte[64];
    private int size;

    public MySqlWriter int8(int value) {
        room(1);
        payload[size++] = (byte) value;
        return this;
    }

    public MySqlWriter int16(int value) {
        return int8(value).int8(value >> 8);
    }

    public MySqlWriter int24(int value) {
        return int16(value).int8(value >> 16);
    }

    public MySqlWriter int32(int value) {
        return int16(value).int16(value >> 16);
    }

    public MySqlWriter int64(long value) {
        return int32((int) value).int32((int) (value >> 32));
    }

    /** A length-encoded integer. */
    public MySqlWriter number(long value) {
        if (value >= 0 && value < 0xfb) {
            return int8((int) value);
        }
        if (value >= 0 && value <= 0xffff) {
            return int8(0xfc).int16((int) value);
        }
        if (value >= 0 && value <= 0xffffff) {
            return int8(0xfd).int24((int) value);
        }
        return int8(0xfe).int64(value);
    }

    /** Bytes with their length-encoded length in front. */
    public MySqlWriter value(byte[] bytes) {
        return number(bytes.length).bytes(bytes);
    }

    public MySqlWriter value(String text) {
        return value(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Text in UTF-8 with a zero behind it. */
    public MySqlWriter string(String text) {
        return bytes(text.getBytes(StandardCharsets.UTF_8)).int8(0);
    }

    public MySqlWriter bytes(byte[] bytes) {
        room(bytes.length);
        System.arraycopy(bytes, 0, payload, size, bytes.length);
        size += bytes.length;
        return this;
    }

    public byte[] toBytes() {
        return Arrays.copyOf(payload, size);
    }

    private void room(int bytes) {
        if (payload.length - size < bytes) {
            payload = Arrays.copyOf(payload, Math.max(payload.length * 2, size + bytes));
        }
    }
}
