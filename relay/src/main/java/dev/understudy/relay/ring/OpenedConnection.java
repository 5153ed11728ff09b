package dev.understudy.relay.ring;

import dev.understudy.relay.tap.TapConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The bytes of an OPENED record: client and local address, the protocol agreed on, and production's preface. */
final class OpenedConnection {
    private static final int MOST_PREFACE = 32 << 10;

    private OpenedConnection() {}

    static byte[] encode(TapConnection connection) {
        byte[] client = address(connection.client());
        byte[] local = address(connection.local());
        String agreed = connection.agreed();
        byte[] protocol = agreed == null ? new byte[0] : agreed.getBytes(StandardCharsets.UTF_8);
        byte[] preface = connection.preface();
        if (protocol.length > Byte.MAX_VALUE || preface.length > MOST_PREFACE) {
            throw new IllegalArgumentException(
                    "preface: " + preface.length + " bytes (expected: <= " + MOST_PREFACE + ")");
        }
        ByteBuffer bytes = ByteBuffer.allocate(
                client.length + local.length + 1 + protocol.length + Integer.BYTES + preface.length);
        bytes.put(client).put(local).put((byte) protocol.length).put(protocol);
        return bytes.putInt(preface.length).put(preface).array();
    }

    /** Unix sockets and the like have no address here: 0 bytes and port 0. */
    private static byte[] address(SocketAddress address) {
        byte[] host = new byte[0];
        int port = 0;
        if (address instanceof InetSocketAddress inet && inet.getAddress() != null) {
            host = inet.getAddress().getAddress();
            port = inet.getPort();
        }
        return ByteBuffer.allocate(1 + host.length + Short.BYTES)
                .put((byte) host.length)
                .put(host)
                .putShort((short) port)
                .array();
    }

    /** Returns null if these bytes are none. */
    static @Nullable TapConnection decode(long id, long nanos, ByteBuffer bytes) {
        try {
            InetSocketAddress client = address(bytes);
            InetSocketAddress local = address(bytes);
            byte[] protocol = take(bytes, bytes.get());
            byte[] preface = take(bytes, bytes.getInt());
            String agreed = protocol.length == 0 ? null : new String(protocol, StandardCharsets.UTF_8);
            return bytes.hasRemaining() ? null : new TapConnection(id, client, local, nanos, preface, agreed);
        } catch (BufferUnderflowException | UnknownHostException damaged) {
            return null;
        }
    }

    private static InetSocketAddress address(ByteBuffer bytes) throws UnknownHostException {
        byte[] host = take(bytes, bytes.get());
        int port = Short.toUnsignedInt(bytes.getShort());
        return host.length == 0
                ? new InetSocketAddress(port)
                : new InetSocketAddress(InetAddress.getByAddress(host), port);
    }

    private static byte[] take(ByteBuffer bytes, int length) {
        if (length < 0 || length > bytes.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] taken = new byte[length];
        bytes.get(taken);
        return taken;
    }
}
