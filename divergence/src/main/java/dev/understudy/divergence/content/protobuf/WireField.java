package dev.understudy.divergence.content.protobuf;

/**
 * One field as it stands in a message.
 *
 * @param number from 1 on
 * @param type 0 varint, 1 eight bytes, 2 counted bytes, 5 four bytes
 * @param value of types 0, 1 and 5
 * @param bytes of type 2; else empty
 */
record WireField(int number, int type, long value, byte[] bytes) {
    static final int VARINT = 0;
    static final int EIGHT = 1;
    static final int COUNTED = 2;
    static final int FOUR = 5;
}
