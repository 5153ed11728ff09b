package dev.understudy.aggregator;

import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgReader;
import dev.understudy.divergence.wire.postgres.PgWriter;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A client that speaks PostgreSQL's protocol message by message, and reads what comes back in short. */
final class PgWire implements AutoCloseable {
    static final PgMessage SYNC = new PgMessage('S', new byte[0]);
    static final PgMessage FLUSH = new PgMessage('H', new byte[0]);

    private final Socket socket;
    private final DataInputStream in;
    private final int port;
    private int processId;
    private int secret;

    PgWire(int port) throws IOException {
        this(port, "database", "postgres");
        ready();
    }

    /** One that has only asked to be let in, with these names and values by turns. */
    PgWire(int port, String... options) throws IOException {
        this.port = port;
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
        in = new DataInputStream(socket.getInputStream());
        PgWriter packet = new PgWriter().int32(3 << 16).string("user").string("postgres");
        for (String option : options) {
            packet.string(option);
        }
        byte[] startup = packet.int8(0).toBytes();
        socket.getOutputStream()
                .write(new PgWriter().int32(startup.length + 4).bytes(startup).toBytes());
    }

    /** Asks on a connection of its own to cancel what is being answered on this one. */
    void cancel() throws IOException {
        try (Socket other = new Socket(InetAddress.getLoopbackAddress(), port)) {
            other.getOutputStream()
                    .write(new PgWriter()
                            .int32(16)
                            .int32(80877102)
                            .int32(processId)
                            .int32(secret)
                            .toBytes());
            other.getInputStream().read();
        }
    }

    /** Sends all in one write. */
    PgWire send(PgMessage... messages) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (PgMessage message : messages) {
            ByteBuffer bytes = ByteBuffer.allocate(message.wireLength());
            message.writeTo(bytes);
            all.write(bytes.array());
        }
        socket.getOutputStream().write(all.toByteArray());
        return this;
    }

    /** What comes up to the next ReadyForQuery, by types: errors with their SQLSTATEs, rows with their values. */
    String ready() throws IOException {
        return until('Z');
    }

    /** What comes up to a message of this type. */
    String until(char type) throws IOException {
        List<String> read = new ArrayList<>();
        String next;
        do {
            next = next();
            if (!next.isEmpty()) {
                read.add(next);
            }
        } while (next.isEmpty() || next.charAt(0) != type);
        return String.join(" ", read);
    }

    /** What comes before nothing comes any more for that long. */
    String heard(int millis) throws IOException {
        List<String> read = new ArrayList<>();
        socket.setSoTimeout(millis);
        try {
            while (true) {
                read.add(next());
            }
        } catch (SocketTimeoutException silence) {
            return String.join(" ", read);
        } catch (EOFException closed) {
            return String.join(" ", read) + " (closed)";
        } finally {
            socket.setSoTimeout(20_000);
        }
    }

    private String next() throws IOException {
        char type = (char) in.readByte();
        byte[] body = new byte[in.readInt() - 4];
        in.readFully(body);
        PgMessage message = new PgMessage(type, body);
        if (type == 'K') {
            processId = message.reader().int32();
            secret =
                    new PgMessage(type, Arrays.copyOfRange(body, 4, 8)).reader().int32();
        }
        return switch (type) {
            case 'E' -> "E:" + PgErrors.state(message);
            case 'D' -> "D:" + row(message.reader());
            case 'T' -> "T:" + new PgMessage('T', body).reader().int16();
            case 'S', 'N', 'K', 'R' -> "";
            default -> String.valueOf(type);
        };
    }

    private static String row(PgReader reader) {
        List<String> values = new ArrayList<>();
        for (int count = reader.int16(); count > 0; count--) {
            byte[] value = reader.value();
            values.add(value == null ? "null" : new String(value, StandardCharsets.UTF_8));
        }
        return String.join(",", values);
    }

    static PgMessage query(String sql) {
        return new PgWriter().string(sql).toMessage('Q');
    }

    static PgMessage parse(String name, String sql) {
        return new PgWriter().string(name).string(sql).int16(0).toMessage('P');
    }

    static PgMessage bind(String portal, String statement) {
        return new PgWriter()
                .string(portal)
                .string(statement)
                .int16(0)
                .int16(0)
                .int16(0)
                .toMessage('B');
    }

    /** @param kind {@code S} for a statement, {@code P} for a portal */
    static PgMessage describe(char kind, String name) {
        return new PgWriter().int8(kind).string(name).toMessage('D');
    }

    static PgMessage execute(String portal, int rows) {
        return new PgWriter().string(portal).int32(rows).toMessage('E');
    }

    static PgMessage data(String rows) {
        return new PgMessage('d', rows.getBytes(StandardCharsets.UTF_8));
    }

    static PgMessage copyDone() {
        return new PgMessage('c', new byte[0]);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
