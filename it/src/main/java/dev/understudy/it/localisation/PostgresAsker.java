package dev.understudy.it.localisation;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Asks a server that speaks PostgreSQL's protocol, one simple query after the other's reply; connections stay open,
 * each for one thread at a time.
 *
 * <p>Written out, since the usual driver begins with settings that not every such server knows. Replies are those of
 * the last query: its first row, {@code 1|null}, or its error, {@code ERROR 23505}, or else its tag. In a statement
 * {@code {row}} stands for the last row's first column that the session was given.
 */
final class PostgresAsker implements Asker {
    private static final int PATIENCE_MILLIS = 3_000;
    private static final int VERSION = 3 << 16;
    private static final int PASSWORD = 3;

    private final int port;
    private final String database;
    private final Queue<Session> idle = new ConcurrentLinkedQueue<>();

    PostgresAsker(int port, String database) {
        this.port = port;
        this.database = database;
    }

    @Override
    public String ask(Ask ask, Random random) throws IOException {
        Session known = idle.poll();
        Session session = known == null ? new Session(port, database) : known;
        boolean sound = false;
        try {
            String last = "";
            for (String statement : Asker.filled(ask.lines(), random)) {
                last = session.query(statement);
            }
            sound = true;
            return last;
        } catch (SocketTimeoutException | EOFException none) {
            return "0";
        } finally {
            if (sound) {
                idle.add(session);
            } else {
                session.close();
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (Session session = idle.poll(); session != null; session = idle.poll()) {
            session.close();
        }
    }

    /** One connection. */
    private static final class Session implements AutoCloseable {
        private final Socket socket;
        private final DataInputStream in;
        private final DataOutputStream out;
        private String row = "0";

        Session(int port, String database) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MILLIS);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            out = new DataOutputStream(socket.getOutputStream());
            byte[] start = ("user\0sa\0database\0" + database + "\0client_encoding\0UTF8\0\0")
                    .getBytes(StandardCharsets.UTF_8);
            out.write(ByteBuffer.allocate(8 + start.length)
                    .putInt(8 + start.length)
                    .putInt(VERSION)
                    .put(start)
                    .array());
            answer();
        }

        String query(String statement) throws IOException {
            send('Q', statement.replace("{row}", row));
            return answer();
        }

        private void send(char type, String text) throws IOException {
            byte[] body = (text + "\0").getBytes(StandardCharsets.UTF_8);
            out.write(ByteBuffer.allocate(5 + body.length)
                    .put((byte) type)
                    .putInt(4 + body.length)
                    .put(body)
                    .array());
        }

        /** Reads until the server is ready for the next. */
        private String answer() throws IOException {
            String said = "";
            while (true) {
                int type = in.readUnsignedByte();
                byte[] body = in.readNBytes(in.readInt() - 4);
                DataInputStream message = new DataInputStream(new ByteArrayInputStream(body));
                switch (type) {
                    case 'Z' -> {
                        return said;
                    }
                    case 'R' -> {
                        if (message.readInt() == PASSWORD) {
                            send('p', "sa");
                        }
                    }
                    case 'D' -> {
                        String now = row(message);
                        said = said.isEmpty() ? now : said;
                        row = now.replaceAll("\\|.*", "");
                    }
                    case 'C' ->
                        said = said.isEmpty() ? new String(body, 0, body.length - 1, StandardCharsets.UTF_8) : said;
                    case 'E' -> said = "ERROR " + state(new String(body, StandardCharsets.UTF_8));
                    default -> {
                        // not asked for
                    }
                }
            }
        }

        private static String row(DataInputStream message) throws IOException {
            StringBuilder row = new StringBuilder();
            int columns = message.readUnsignedShort();
            for (int i = 0; i < columns; i++) {
                int length = message.readInt();
                row.append(i == 0 ? "" : "|")
                        .append(length < 0 ? "null" : new String(message.readNBytes(length), StandardCharsets.UTF_8));
            }
            return row.toString();
        }

        /** The field that begins with C. */
        private static String state(String error) {
            for (String field : error.split("\0", -1)) {
                if (field.startsWith("C")) {
                    return field.substring(1);
                }
            }
            return "";
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
