package dev.understudy.relay.starttls;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Packets of a MySQL connection's beginning, as servers and clients write them. */
final class Packets {
    private static final int TLS = 1 << 11;
    private static final int CAPABILITIES = 0x81bea20f & ~TLS;

    private Packets() {}

    static byte[] packet(int number, byte... payload) {
        return ByteBuffer.allocate(4 + payload.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(payload.length | number << 24)
                .put(payload)
                .array();
    }

    static byte[] greeting(boolean tls) {
        byte[] version = "5.5.5-10.11.6-MariaDB-0+deb12u1".getBytes(StandardCharsets.US_ASCII);
        int capabilities = CAPABILITIES | (tls ? TLS : 0);
        byte[] payload = ByteBuffer.allocate(1 + version.length + 1 + 4 + 8 + 1 + 2 + 1 + 2 + 2 + 1 + 10 + 13 + 22)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 10)
                .put(version)
                .put((byte) 0)
                .putInt(4711)
                .put("challeng".getBytes(StandardCharsets.US_ASCII))
                .put((byte) 0)
                .putShort((short) capabilities)
                .put((byte) 45)
                .putShort((short) 2)
                .putShort((short) (capabilities >> 16))
                .put((byte) 21)
                .put(new byte[10])
                .put("e-and-more12\0".getBytes(StandardCharsets.US_ASCII))
                .put("mysql_native_password\0".getBytes(StandardCharsets.US_ASCII))
                .array();
        return packet(0, payload);
    }

    private static ByteBuffer beginning(int length, boolean tls) {
        return ByteBuffer.allocate(length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(CAPABILITIES | (tls ? TLS : 0))
                .putInt(1 << 24)
                .put((byte) 45)
                .position(32);
    }

    static byte[] requestForTls() {
        return packet(1, beginning(32, true).array());
    }

    static byte[] login(int number, boolean tls) {
        byte[] rest = "app\0\24twenty-bytes-of-proofapp\0mysql_native_password\0".getBytes(StandardCharsets.US_ASCII);
        return packet(number, beginning(32 + rest.length, tls).put(rest).array());
    }

    /** Something that proves who the client is, or asks for it. */
    static byte[] proof(int number) {
        return packet(number, "\1what I know\0".getBytes(StandardCharsets.US_ASCII));
    }

    static byte[] ok(int number) {
        return packet(number, new byte[] {0, 0, 0, 2, 0, 0, 0});
    }

    static byte[] error(int number) {
        return packet(number, "\u00ff\20\4#08004Too many connections".getBytes(StandardCharsets.ISO_8859_1));
    }

    static byte[] query() {
        return packet(0, "\3SELECT 1".getBytes(StandardCharsets.US_ASCII));
    }
}
