package dev.understudy.relay.control;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A caller of a control port that sends what it likes and reads when it likes; its socket takes little by itself. */
final class RawCaller implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 60_000;

    private final Socket socket = new Socket();
    private final InputStream in;

    private RawCaller(InetSocketAddress server) throws IOException {
        socket.setReceiveBufferSize(16 << 10);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.connect(server, PATIENCE_MILLIS);
        in = new BufferedInputStream(socket.getInputStream());
    }

    static RawCaller connect(ControlServer server) throws IOException {
        return new RawCaller(server.address());
    }

    RawCaller send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.US_ASCII));
    }

    RawCaller send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** A request's head, of HTTP/1.1, with these header lines; a POST announces JSON. */
    RawCaller head(String method, String path, String... headers) throws IOException {
        StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n");
        if (method.equals("POST")) {
            head.append("Content-Type: application/json\r\n");
        }
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        return send(head.append("\r\n").toString());
    }

    /** The next reply's status, headers and body; of one without a length the head alone. */
    String reply() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the connection ended after: " + head);
            }
            head.append((char) next);
        }
        String lower = head.toString().toLowerCase(Locale.ROOT);
        int at = lower.indexOf("content-length: ");
        if (at < 0) {
            return head.toString();
        }
        int length = Integer.parseInt(lower.substring(at + 16, lower.indexOf('\r', at)));
        return head + new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    /** The next line, without its end. */
    String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n' && next >= 0; next = in.read()) {
            line.append((char) next);
        }
        return line.toString();
    }

    /** Whether the server has ended the connection, once all that it sent is read. */
    boolean isEnded() throws IOException {
        try {
            in.transferTo(new ByteArrayOutputStream());
            return true;
        } catch (SocketException reset) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
