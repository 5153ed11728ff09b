package dev.understudy.it.localisation;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Asks a ZooKeeper server in a session of its own, one request after the other's reply.
 *
 * <p>Lines are {@code create PATH BYTES [USER]}, {@code delete PATH}, {@code exists PATH}, {@code get PATH [watch]},
 * {@code set PATH BYTES} and {@code watch PATH}, a watch that stays; a USER is who alone may do anything to the node.
 * The reply is {@code ok}, or the number of the error.
 */
final class ZooKeeperAsker implements Asker {
    private static final int PATIENCE_MILLIS = 5_000;
    private static final int QUIET_MILLIS = 200;
    private static final int SESSION_MILLIS = 10_000;
    private static final int EVENT = -1;
    private static final int ALL = 31;

    private final int port;

    ZooKeeperAsker(int port) {
        this.port = port;
    }

    @Override
    public String ask(Ask ask, Random random) throws IOException {
        Session other = null;
        Session own = null;
        try {
            String last = "0";
            for (String line : Asker.filled(ask.lines(), random)) {
                if (line.startsWith(OTHER)) {
                    other = other == null ? new Session(port) : other;
                    other.request(line.substring(OTHER.length()));
                } else {
                    own = own == null ? new Session(port) : own;
                    String received =
                            line.contains(RECEIVED) && other != null ? Integer.toString(other.received()) : "";
                    last = own.request(line.replace(RECEIVED, received));
                }
            }
            return last;
        } catch (SocketTimeoutException | EOFException none) {
            return "0";
        } finally {
            close(other);
            close(own);
        }
    }

    private static void close(@Nullable Session session) throws IOException {
        if (session != null) {
            session.close();
        }
    }

    /** One connection; all is as the server's own description of its messages, zookeeper.jute, has it. */
    private static final class Session implements AutoCloseable {
        private final Socket socket;
        private final DataInputStream in;
        private int number;
        private int events;

        Session(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MILLIS);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            send(out -> {
                out.writeInt(0);
                out.writeLong(0);
                out.writeInt(SESSION_MILLIS);
                out.writeLong(0);
                out.writeInt(16);
                out.write(new byte[16]);
            });
            read();
        }

        String request(String line) throws IOException {
            String[] words = line.split(" ", -1);
            int mine = ++number;
            send(out -> {
                out.writeInt(mine);
                write(out, words);
            });
            while (true) {
                DataInputStream reply = read();
                int answered = reply.readInt();
                reply.readLong();
                int error = reply.readInt();
                if (answered == mine) {
                    return error == 0 ? "ok" : Integer.toString(error);
                }
                events += answered == EVENT ? 1 : 0;
            }
        }

        /** How many events have come up to when it is quiet. */
        int received() throws IOException {
            socket.setSoTimeout(QUIET_MILLIS);
            try {
                while (true) {
                    events += read().readInt() == EVENT ? 1 : 0;
                }
            } catch (SocketTimeoutException quiet) {
                int all = events;
                events = 0;
                return all;
            } finally {
                socket.setSoTimeout(PATIENCE_MILLIS);
            }
        }

        private static void write(DataOutputStream out, String[] words) throws IOException {
            switch (words[0]) {
                case "create" -> {
                    out.writeInt(1);
                    text(out, words[1]);
                    data(out, words[2]);
                    out.writeInt(1);
                    out.writeInt(ALL);
                    text(out, words.length > 3 ? "ip" : "world");
                    text(out, words.length > 3 ? words[3] : "anyone");
                    out.writeInt(0);
                }
                case "delete" -> {
                    out.writeInt(2);
                    text(out, words[1]);
                    out.writeInt(-1);
                }
                case "exists", "get" -> {
                    out.writeInt(words[0].equals("get") ? 4 : 3);
                    text(out, words[1]);
                    out.writeBoolean(words.length > 2);
                }
                case "set" -> {
                    out.writeInt(5);
                    text(out, words[1]);
                    data(out, words[2]);
                    out.writeInt(-1);
                }
                case "watch" -> {
                    out.writeInt(106);
                    text(out, words[1]);
                    out.writeInt(0);
                }
                default -> throw new IllegalArgumentException("command: " + words[0]);
            }
        }

        private static void text(DataOutputStream out, String text) throws IOException {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            out.writeInt(bytes.length);
            out.write(bytes);
        }

        private static void data(DataOutputStream out, String length) throws IOException {
            byte[] bytes = new byte[Integer.parseInt(length)];
            out.writeInt(bytes.length);
            out.write(bytes);
        }

        private DataInputStream read() throws IOException {
            return new DataInputStream(new ByteArrayInputStream(in.readNBytes(in.readInt())));
        }

        private void send(Message message) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            message.write(new DataOutputStream(bytes));
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(whole);
            out.writeInt(bytes.size());
            bytes.writeTo(out);
            socket.getOutputStream().write(whole.toByteArray());
        }

        /** Says goodbye first, so that the server forgets the session. */
        @Override
        public void close() throws IOException {
            if (socket.isClosed()) {
                return;
            }
            try (socket) {
                int last = ++number;
                send(out -> {
                    out.writeInt(last);
                    out.writeInt(-11);
                });
                read();
            } catch (SocketTimeoutException | EOFException gone) {
                // as good
            }
        }
    }

    private interface Message {
        void write(DataOutputStream out) throws IOException;
    }
}
