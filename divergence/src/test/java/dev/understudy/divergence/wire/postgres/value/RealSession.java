package dev.understudy.divergence.wire.postgres.value;

import dev.understudy.divergence.wire.postgres.BackendFramer;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgReader;
import dev.understudy.divergence.wire.postgres.PgSink;
import dev.understudy.divergence.wire.postgres.PgWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A session with a real server, down at the protocol: asks for a value in the format that the test wants. */
final class RealSession implements AutoCloseable, PgSink {
    private final Socket socket;
    private final BackendFramer framer = new BackendFramer(this, 1 << 24);
    private final List<PgMessage> messages = new ArrayList<>();

    RealSession(int port) throws IOException {
        socket = new Socket("127.0.0.1", port);
        socket.setTcpNoDelay(true);
        byte[] startup = new PgWriter()
                .int32(3 << 16)
                .string("user")
                .string("postgres")
                .string("database")
                .string("postgres")
                .int8(0)
                .toBytes();
        OutputStream out = socket.getOutputStream();
        out.write(new PgWriter().int32(startup.length + 4).bytes(startup).toBytes());
        untilReady();
    }

    void set(String setting) throws IOException {
        send(new PgWriter().string("SET " + setting).toMessage('Q'));
        untilReady();
    }

    /** The only value of the only row. */
    byte[] value(String sql, boolean binary) throws IOException {
        send(new PgWriter().string("").string(sql).int16(0).toMessage('P'));
        send(new PgWriter()
                .string("")
                .string("")
                .int16(0)
                .int16(0)
                .int16(1)
                .int16(binary ? 1 : 0)
                .toMessage('B'));
        send(new PgWriter().string("").int32(0).toMessage('E'));
        send(new PgWriter().toMessage('S'));
        for (PgMessage message : untilReady()) {
            if (message.type() == 'D') {
                PgReader row = message.reader();
                row.int16();
                byte[] value = row.value();
                if (value != null) {
                    return value;
                }
            }
        }
        throw new IOException("no value for " + sql + ": "
                + messages.stream().map(PgErrors::state).toList());
    }

    @Override
    public void message(PgMessage message, int rawLength) {
        messages.add(message);
    }

    @Override
    public void oversized(char type, long rawLength) {
        throw new IllegalStateException("oversized");
    }

    @Override
    public void unframed(String reason, int rawLength) {
        throw new IllegalStateException(reason);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private void send(PgMessage message) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(message.wireLength());
        message.writeTo(bytes);
        socket.getOutputStream().write(bytes.array());
    }

    private List<PgMessage> untilReady() throws IOException {
        messages.clear();
        InputStream in = socket.getInputStream();
        byte[] chunk = new byte[65_536];
        while (messages.isEmpty() || messages.get(messages.size() - 1).type() != 'Z') {
            int read = in.read(chunk);
            if (read < 0) {
                throw new IOException("closed");
            }
            framer.feed(ByteBuffer.wrap(chunk, 0, read));
        }
        return messages;
    }
}
