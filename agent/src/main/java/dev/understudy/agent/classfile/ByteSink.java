package dev.understudy.agent.classfile;

import java.util.Arrays;

/** Bytes that are appended to, and changed again, in the order of class files. Confined to one thread. */
public final class ByteSink {
    private byte[] bytes;
    private int size;

    /** An empty one that begins with room for so many. */
    public ByteSink(int room) {
        bytes = new byte[Math.max(16, room)];
    }

    /** How many there are. */
    public int size() {
        return size;
    }

    /** Appends one byte. */
    public ByteSink u1(int value) {
        room(1);
        bytes[size++] = (byte) value;
        return this;
    }

    /** Appends two bytes. */
    public ByteSink u2(int value) {
        room(2);
        bytes[size++] = (byte) (value >>> 8);
        bytes[size++] = (byte) value;
        return this;
    }

    /** Appends four bytes. */
    public ByteSink u4(int value) {
        return u2(value >>> 16).u2(value);
    }

    /** Appends a part of {@code from}. */
    public ByteSink copy(byte[] from, int offset, int length) {
        room(length);
        System.arraycopy(from, offset, bytes, size, length);
        size += length;
        return this;
    }

    /** Appends what is in another. */
    public ByteSink copy(ByteSink other) {
        return copy(other.bytes, 0, other.size);
    }

    /** Appends so many zeros. */
    ByteSink zeros(int many) {
        room(many);
        Arrays.fill(bytes, size, size + many, (byte) 0);
        size += many;
        return this;
    }

    /** Appends a type of a stack map frame: its tag, and the number that belongs to it if {@code numbered}. */
    ByteSink type(int tag, int number, boolean numbered) {
        room(3);
        bytes[size++] = (byte) tag;
        if (numbered) {
            bytes[size++] = (byte) (number >>> 8);
            bytes[size++] = (byte) number;
        }
        return this;
    }

    /** Changes two bytes that are there. */
    public ByteSink set2(int at, int value) {
        bytes[at] = (byte) (value >>> 8);
        bytes[at + 1] = (byte) value;
        return this;
    }

    /** Changes four bytes that are there. */
    ByteSink set4(int at, int value) {
        return set2(at, value >>> 16).set2(at + 2, value);
    }

    /** All of them. */
    public byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    private void room(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
        }
    }
}
