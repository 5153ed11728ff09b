package dev.understudy.session.clone.checkpoint;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The fields of one message of an image, by their numbers. Of a field that is repeated, the last one.
 *
 * @param numbers the values of fields that are numbers
 * @param parts the bytes of fields that are texts or messages
 */
record ImageMessage(Map<Integer, Long> numbers, Map<Integer, byte[]> parts) {
    /** Reads a message; its format is that of Protocol Buffers. */
    static ImageMessage parse(byte[] bytes) throws IOException {
        ImageMessage message = new ImageMessage(new HashMap<>(), new HashMap<>());
        FieldCursor cursor = new FieldCursor(bytes);
        while (cursor.at < bytes.length) {
            long key = cursor.varint();
            int field = (int) Math.min(key >>> 3, Integer.MAX_VALUE);
            switch ((int) (key & 7)) {
                case 0 -> message.numbers.put(field, cursor.varint());
                case 1 -> cursor.skip(8);
                case 2 -> message.parts.put(field, cursor.part(cursor.varint()));
                case 5 -> cursor.skip(4);
                default -> throw new IOException("a field of unknown type " + (key & 7) + " at byte " + cursor.at);
            }
        }
        return message;
    }

    /** A field that is a number; 0 if it isn't there. */
    long number(int field) {
        return numbers.getOrDefault(field, 0L);
    }

    private static final class FieldCursor {
        private final byte[] bytes;
        private int at;

        FieldCursor(byte[] bytes) {
            this.bytes = bytes;
        }

        long varint() throws IOException {
            long value = 0;
            for (int shift = 0; shift < 64; shift += 7) {
                if (at == bytes.length) {
                    throw new IOException("a number is cut off at byte " + at);
                }
                byte next = bytes[at++];
                value |= (next & 127L) << shift;
                if (next >= 0) {
                    return value;
                }
            }
            throw new IOException("a number has no end at byte " + at);
        }

        byte[] part(long length) throws IOException {
            int from = at;
            skip(length);
            return Arrays.copyOfRange(bytes, from, at);
        }

        void skip(long length) throws IOException {
            if (length < 0 || length > bytes.length - at) {
                throw new IOException("a field of " + length + " bytes at byte " + at + " of " + bytes.length);
            }
            at += (int) length;
        }
    }
}
