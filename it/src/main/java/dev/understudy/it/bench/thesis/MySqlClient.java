package dev.understudy.it.bench.thesis;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** One blocking connection that speaks just enough of MySQL's protocol to log in without a password and to query. */
final class MySqlClient implements Closeable {
    /** LONG_PASSWORD, CONNECT_WITH_DB, PROTOCOL_41, SECURE_CONNECTION, PLUGIN_AUTH. */
    private static final int CAPABILITIES = 0x1 | 0x8 | 0x200 | 0x8000 | 0x80000;

    private static final int COM_QUERY = 3;
    private static final int UTF8 = 33;
    private static final int LARGEST_PACKET = 1 << 24;
    private static final int PATIENCE_MILLIS = 20_000;

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private int sequence;

    MySqlClient(int port, String database) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
        in = new DataInputStream(socket.getInputStream());
        read();
        ByteBuffer login = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);
        login.putInt(CAPABILITIES).putInt(LARGEST_PACKET).put((byte) UTF8).put(new byte[23]);
        login.put("root".getBytes(StandardCharsets.US_ASCII)).put((byte) 0).put((byte) 0);
        login.put(database.getBytes(StandardCharsets.US_ASCII)).put((byte) 0);
        login.put("mysql_native_password".getBytes(StandardCharsets.US_ASCII)).put((byte) 0);
        send(login.flip());
        refuseError(read());
    }

    /** Asks, and reads all of the result. */
    void query(String statement) throws IOException {
        sequence = -1;
        byte[] text = statement.getBytes(StandardCharsets.UTF_8);
        send(ByteBuffer.allocate(1 + text.length)
                .put((byte) COM_QUERY)
                .put(text)
                .flip());
        byte[] first = read();
        refuseError(first);
        if (first[0] == 0) {
            return;
        }
        for (int ends = 0; ends < 2; ) {
            byte[] packet = read();
            refuseError(packet);
            if ((packet[0] & 0xff) == 0xfe && packet.length < 9) {
                ends++;
            }
        }
    }

    private void send(ByteBuffer body) throws IOException {
        int length = body.remaining();
        ByteBuffer packet = ByteBuffer.allocate(4 + length).order(ByteOrder.LITTLE_ENDIAN);
        packet.putInt(length).put(3, (byte) ++sequence).put(body);
        socket.getOutputStream().write(packet.array());
    }

    private byte[] read() throws IOException {
        int head = Integer.reverseBytes(in.readInt());
        sequence = head >>> 24;
        byte[] packet = new byte[head & 0xffffff];
        in.readFully(packet);
        if (packet.length == 0) {
            throw new EOFException("an empty packet");
        }
        return packet;
    }

    private static void refuseError(byte[] packet) throws IOException {
        if ((packet[0] & 0xff) == 0xff) {
            throw new IOException(
                    "the server refuses: " + new String(packet, 3, packet.length - 3, StandardCharsets.UTF_8));
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
