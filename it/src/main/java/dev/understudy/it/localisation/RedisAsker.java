package dev.understudy.it.localisation;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * Asks a Redis server on a connection of its own, one command after the other's reply, and listens on another if that
 * is asked for.
 */
final class RedisAsker implements Asker {
    private static final int PATIENCE_MILLIS = 5_000;
    private static final int QUIET_MILLIS = 100;

    private final int port;

    RedisAsker(int port) {
        this.port = port;
    }

    @Override
    public String ask(Ask ask, Random random) throws IOException {
        try (Session session = new Session(port);
                Session other = listens(ask) ? new Session(port) : session) {
            String last = "0";
            for (String command : Asker.filled(ask.lines(), random)) {
                if (command.startsWith(OTHER)) {
                    other.command(command.substring(OTHER.length()));
                } else {
                    String received = command.contains(RECEIVED) ? Integer.toString(other.received()) : "";
                    last = session.command(command.replace(RECEIVED, received));
                }
            }
            return last;
        } catch (SocketTimeoutException | SocketException | EOFException none) {
            return "0"; // a server that breaks off is asked again on another connection
        }
    }

    private static boolean listens(Ask ask) {
        return ask.lines().stream().anyMatch(line -> line.startsWith(OTHER));
    }

    /** One connection. */
    private static final class Session implements AutoCloseable {
        private final Socket socket;
        private final DataInputStream in;

        Session(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MILLIS);
            in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream()));
        }

        String command(String command) throws IOException {
            socket.getOutputStream().write(encoded(command));
            return reply(in);
        }

        /** How many replies come until it is quiet. */
        int received() throws IOException {
            int replies = 0;
            socket.setSoTimeout(QUIET_MILLIS);
            try {
                while (true) {
                    reply(in);
                    replies++;
                }
            } catch (SocketTimeoutException quiet) {
                return replies;
            } finally {
                socket.setSoTimeout(PATIENCE_MILLIS);
            }
        }

        /** Says goodbye first: a server that doesn't look for the end of its input would go on looking for commands. */
        @Override
        public void close() throws IOException {
            try (socket) {
                command("QUIT");
            } catch (SocketTimeoutException | SocketException | EOFException gone) {
                // as good
            }
        }
    }

    private static byte[] encoded(String command) {
        String[] words = command.split(" ", -1);
        StringBuilder text = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            text.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** Reads a reply to its end; its first line is returned. */
    private static String reply(DataInputStream in) throws IOException {
        String first = line(in);
        char kind = first.isEmpty() ? '-' : first.charAt(0);
        int length = kind == '$' || kind == '*' ? Integer.parseInt(first.substring(1)) : -1;
        if (kind == '$' && length >= 0) {
            in.skipNBytes(length + 2L);
        }
        for (int i = 0; kind == '*' && i < length; i++) {
            reply(in);
        }
        return first;
    }

    private static String line(DataInputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int b = in.readUnsignedByte(); b != '\r'; b = in.readUnsignedByte()) {
            text.append((char) b);
        }
        in.readUnsignedByte();
        return text.toString();
    }
}
