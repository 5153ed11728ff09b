package dev.understudy.divergence.wire.postgres;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Builds a message body field by field. */
public final class PgWriter {
    private byte[] body = new byte[64];
    private int size;

    public PgWriter int8(int value) {
        room(1);
        body[size++] = (byte) value;
        return this;
    }

    public PgWriter int16(int value) {
        return int8(value >> 8).int8(value);
    }

    public PgWriter int32(int value) {
        return int16(value >> 16).int16(value);
    }

    public PgWriter int64(long value) {
        return int32((int) (value >> 32)).int32((int) value);
    }

    /** A zero-terminated string, in UTF-8; a zero inside would end it early, so it must hold none. */
    public PgWriter string(String value) {
        return bytes(value.getBytes(StandardCharsets.UTF_8)).int8(0);
    }

    public PgWriter bytes(byte[] bytes) {
        room(bytes.length);
        System.arraycopy(bytes, 0, body, size, bytes.length);
        size += bytes.length;
        return this;
    }

    /** A value with its length in front; null as length −1. */
    public PgWriter value(byte @Nullable [] value) {
        return value == null ? int32(-1) : int32(value.length).bytes(value);
    }

    public byte[] toBytes() {
        return Arrays.copyOf(body, size);
    }

    public PgMessage toMessage(char type) {
        return new PgMessage(type, toBytes());
    }

    private void room(int bytes) {
        if (body.length - size < bytes) {
            body = Arrays.copyOf(body, Math.max(body.length * 2, size + bytes));
        }
    }
}
