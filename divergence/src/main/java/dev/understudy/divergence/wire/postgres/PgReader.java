package dev.understudy.divergence.wire.postgres;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of a message body; throws {@link MalformedMessageException} where the body is too short, and never
 * allocates more than the body holds.
 */
public final class PgReader {
    private final byte[] body;
    private int at;

    public PgReader(byte[] body) {
        this.body = body;
    }

    public int remaining() {
        return body.length - at;
    }

    public byte int8() {
        need(1);
        return body[at++];
    }

    public short int16() {
        need(2);
        return (short) (((body[at++] & 0xff) << 8) | (body[at++] & 0xff));
    }

    public int int32() {
        return ((int16() & 0xffff) << 16) | (int16() & 0xffff);
    }

    public long int64() {
        return ((long) int32() << 32) | (int32() & 0xffffffffL);
    }

    /** A count of elements that take at least {@code bytesEach} bytes each, so that it can be trusted as a size. */
    public int count(int bytesEach) {
        int count = int16() & 0xffff;
        need((long) count * bytesEach);
        return count;
    }

    /** A zero-terminated string, in UTF-8. */
    public String string() {
        int end = at;
        while (end < body.length && body[end] != 0) {
            end++;
        }
        if (end == body.length) {
            throw new MalformedMessageException("string without an end");
        }
        String value = new String(body, at, end - at, StandardCharsets.UTF_8);
        at = end + 1;
        return value;
    }

    public byte[] bytes(int length) {
        need(length);
        byte[] bytes = Arrays.copyOfRange(body, at, at + length);
        at += length;
        return bytes;
    }

    /** A value with its length in front, null for the length −1. */
    public byte @Nullable [] value() {
        int length = int32();
        return length == -1 ? null : bytes(length);
    }

    public int[] int32s(int count) {
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            values[i] = int32();
        }
        return values;
    }

    /** The types of parameters by their oids, with their number in front. */
    public List<Integer> types() {
        List<Integer> types = new ArrayList<>();
        for (int type : int32s(count(4))) {
            types.add(type);
        }
        return List.copyOf(types);
    }

    public short[] int16s(int count) {
        short[] values = new short[count];
        for (int i = 0; i < count; i++) {
            values[i] = int16();
        }
        return values;
    }

    private void need(long bytes) {
        if (bytes < 0 || bytes > remaining()) {
            throw new MalformedMessageException(bytes + " bytes wanted, " + remaining() + " left");
        }
    }
}
