package dev.understudy.divergence.wire.mysql;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the fields of a payload, least significant byte first; throws {@link MalformedPacketException} where the
 * payload is too short, and never allocates more than it holds.
 */
public final class MySqlReader {
    private static final int NULL = 0xfb;

    private final byte[] payload;
    private int at;

    public MySqlReader(byte[] payload) {
        this.payload = payload;
    }

    public int remaining() {
        return payload.length - at;
    }

    /** The next byte, which stays the next. */
    public int peek() {
        need(1);
        return payload[at] & 0xff;
    }

    public int int8() {
        need(1);
        return payload[at++] & 0xff;
    }

    public int int16() {
        return int8() | int8() << 8;
    }

    public int int24() {
        return int16() | int8() << 16;
    }

    public int int32() {
        return int16() | int16() << 16;
    }

    public long int64() {
        return (int32() & 0xffffffffL) | (long) int32() << 32;
    }

    /** A length-encoded integer. */
    public long number() {
        int first = int8();
        return switch (first) {
            case 0xfc -> int16();
            case 0xfd -> int24();
            case 0xfe -> int64();
            case NULL, 0xff -> throw new MalformedPacketException("a number that begins with " + first);
            default -> first;
        };
    }

    /** Bytes with their length-encoded length in front. */
    public byte[] value() {
        long length = number();
        if (length < 0 || length > remaining()) {
            throw new MalformedPacketException(length + " bytes wanted, " + remaining() + " left");
        }
        return bytes((int) length);
    }

    public byte[] bytes(int length) {
        need(length);
        byte[] bytes = Arrays.copyOfRange(payload, at, at + length);
        at += length;
        return bytes;
    }

    /** All that is left. */
    public byte[] rest() {
        return bytes(remaining());
    }

    /** Passes over some bytes. */
    public MySqlReader skip(int length) {
        need(length);
        at += length;
        return this;
    }

    /** Bytes up to a zero, which is passed over, or up to the end. */
    public byte[] zeroEnded() {
        int end = at;
        while (end < payload.length && payload[end] != 0) {
            end++;
        }
        byte[] bytes = Arrays.copyOfRange(payload, at, end);
        at = Math.min(payload.length, end + 1);
        return bytes;
    }

    /** The same as text in UTF-8. */
    public String string() {
        return new String(zeroEnded(), StandardCharsets.UTF_8);
    }

    private void need(long bytes) {
        if (bytes < 0 || bytes > remaining()) {
            throw new MalformedPacketException(bytes + " bytes wanted, " + remaining() + " left");
        }
    }
}
