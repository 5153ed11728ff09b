package dev.understudy.it.exhaust;

import dev.understudy.divergence.wire.mysql.Capabilities;
import dev.understudy.divergence.wire.mysql.MySqlWriter;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgWriter;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** One connection to a server, or to what stands in for it, as bytes. */
final class Talk implements Closeable {
    private static final int PATIENCE_MILLIS = 120_000;
    private static final int QUIET_MILLIS = 300;
    private static final long MYSQL_BITS =
            Capabilities.PROTOCOL_41 | Capabilities.SECURE_CONNECTION | Capabilities.PLUGIN_AUTH;

    private final Socket socket;
    private final OutputStream out;
    private final InputStream in;

    private Talk(int port, boolean reading) throws IOException {
        socket = new Socket();
        if (!reading) {
            socket.setReceiveBufferSize(2_048); // the kernel is not to hold it for the server
        }
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout(PATIENCE_MILLIS);
        out = socket.getOutputStream();
        in = socket.getInputStream();
    }

    /** Connects, and logs in where the protocol wants that. */
    static Talk open(String protocol, int port) throws IOException {
        return open(protocol, port, true);
    }

    /** The same for a client that may not read, and then hardly lets the kernel do so. */
    static Talk open(String protocol, int port, boolean reading) throws IOException {
        Talk talk = new Talk(port, reading);
        try {
            switch (protocol) {
                case "postgres" -> talk.startPostgres();
                case "mysql" -> talk.startMySql();
                default -> {
                    // Redis begins at once
                }
            }
        } catch (IOException failed) {
            talk.close();
            throw failed;
        }
        return talk;
    }

    /** Connects, and says nothing. */
    static Talk silent(int port) throws IOException {
        return new Talk(port, true);
    }

    static byte[] postgres(PgMessage... messages) {
        PgWriter writer = new PgWriter();
        for (PgMessage message : messages) {
            writer.int8(message.type()).int32(message.body().length + 4).bytes(message.body());
        }
        return writer.toBytes();
    }

    static byte[] mysql(int code, String text) {
        return mysql(
                0,
                new MySqlWriter()
                        .int8(code)
                        .bytes(text.getBytes(StandardCharsets.UTF_8))
                        .toBytes());
    }

    static byte[] mysql(int sequence, byte[] payload) {
        return new MySqlWriter()
                .int24(payload.length)
                .int8(sequence)
                .bytes(payload)
                .toBytes();
    }

    void send(byte[] bytes) throws IOException {
        out.write(bytes);
    }

    void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** So many bytes of an answer. */
    byte[] read(int length) throws IOException {
        return in.readNBytes(length);
    }

    /** All that comes until nothing does for a while. */
    byte[] readAll() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] some = new byte[65_536];
        try {
            int length = in.read(some);
            socket.setSoTimeout(QUIET_MILLIS);
            while (length > 0) {
                all.write(some, 0, length);
                length = in.read(some);
            }
        } catch (SocketTimeoutException quiet) {
            // that was all
        } finally {
            socket.setSoTimeout(PATIENCE_MILLIS);
        }
        return all.toByteArray();
    }

    /** Throws away what comes, until the end. */
    void drain() {
        byte[] some = new byte[65_536];
        try {
            while (in.read(some) >= 0) {
                // nobody looks at it
            }
        } catch (IOException over) {
            // closed by either side
        }
    }

    private void startPostgres() throws IOException {
        byte[] startup = new PgWriter()
                .int32(3 << 16)
                .string("user")
                .string("bench")
                .string("database")
                .string("postgres")
                .int8(0)
                .toBytes();
        send(new PgWriter().int32(startup.length + 4).bytes(startup).toBytes());
        for (int type = in.read(); type != 'Z'; type = in.read()) {
            int length = (read(1)[0] & 0xff) << 24
                    | (read(1)[0] & 0xff) << 16
                    | (read(1)[0] & 0xff) << 8
                    | (read(1)[0] & 0xff);
            read(length - 4);
            if (type != 'R' && type != 'S' && type != 'K') {
                throw new IOException("not let in: " + type);
            }
        }
        read(5);
    }

    private void startMySql() throws IOException {
        packet();
        byte[] login = new MySqlWriter()
                .int32((int) MYSQL_BITS)
                .int32(1 << 24)
                .int8(45)
                .bytes(new byte[23])
                .string("bench")
                .int8(0)
                .string("mysql_native_password")
                .toBytes();
        send(mysql(1, login));
        byte[] answer = packet();
        if (answer.length == 0 || answer[0] != 0) {
            throw new IOException("not let in: " + new String(answer, StandardCharsets.ISO_8859_1));
        }
    }

    private byte[] packet() throws IOException {
        byte[] header = read(4);
        if (header.length < 4) {
            throw new IOException("closed");
        }
        return read((header[0] & 0xff) | (header[1] & 0xff) << 8 | (header[2] & 0xff) << 16);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
