package dev.understudy.divergence.content.protobuf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads Protocol Buffers' wire format (the encoding guide of protobuf.dev), strictly: groups, which nobody writes any
 * more, count as malformed. Confined to one thread.
 */
final class WireReader {
    private static final int LONGEST_VARINT = 10;
    private static final byte[] NONE = {};

    private final byte[] data;
    private int at;

    WireReader(byte[] data) {
        this.data = data;
    }

    /** The fields of a message, in the order in which they stand there; null if it is none. */
    static @Nullable List<WireField> fields(byte[] message) {
        WireReader reader = new WireReader(message);
        List<WireField> fields = new ArrayList<>();
        try {
            while (!reader.atEnd()) {
                fields.add(reader.field());
            }
            return fields;
        } catch (MalformedException malformed) {
            return null;
        }
    }

    /** What is there isn't Protocol Buffers. */
    static final class MalformedException extends Exception {
        private static final long serialVersionUID = 1;

        MalformedException() {
            super("malformed", null, false, false);
        }
    }

    boolean atEnd() {
        return at == data.length;
    }

    private WireField field() throws MalformedException {
        long tag = varint();
        long number = tag >>> 3;
        int type = (int) (tag & 7);
        if (number == 0 || number > 0x1fffffff) {
            throw new MalformedException();
        }
        return switch (type) {
            case WireField.VARINT -> new WireField((int) number, type, varint(), NONE);
            case WireField.EIGHT -> new WireField((int) number, type, fixed(8), NONE);
            case WireField.FOUR -> new WireField((int) number, type, fixed(4), NONE);
            case WireField.COUNTED -> new WireField((int) number, type, 0, counted());
            default -> throw new MalformedException();
        };
    }

    long varint() throws MalformedException {
        long value = 0;
        for (int i = 0; i < LONGEST_VARINT; i++) {
            if (at == data.length) {
                throw new MalformedException();
            }
            byte next = data[at++];
            if (i == LONGEST_VARINT - 1 && next > 1) {
                throw new MalformedException();
            }
            value |= (long) (next & 0x7f) << (7 * i);
            if (next >= 0) {
                return value;
            }
        }
        throw new MalformedException();
    }

    /** Little-endian. */
    long fixed(int bytes) throws MalformedException {
        if (data.length - at < bytes) {
            throw new MalformedException();
        }
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (data[at++] & 0xffL) << (8 * i);
        }
        return value;
    }

    private byte[] counted() throws MalformedException {
        long length = varint();
        if (length < 0 || length > data.length - at) {
            throw new MalformedException();
        }
        byte[] bytes = Arrays.copyOfRange(data, at, at + (int) length);
        at += (int) length;
        return bytes;
    }
}
