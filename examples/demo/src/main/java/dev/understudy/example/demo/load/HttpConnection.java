package dev.understudy.example.demo.load;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One keep-alive connection that never retries and counts every byte, so that what a client saw can be compared with
 * what the sidecar relayed.
 */
final class HttpConnection implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final int LONGEST_LINE = 16_384;

    private final Socket socket;
    private final CountingStream received;
    private final InputStream in;
    private long sent;

    HttpConnection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        received = new CountingStream(socket.getInputStream());
        in = new BufferedInputStream(received, 65_536);
    }

    /** Sends a request and reads the whole answer. */
    HttpReply exchange(String method, String target, Map<String, String> headers, byte[] body) throws IOException {
        StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        if (!method.equals("GET")) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        byte[] headBytes = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        byte[] message = new byte[headBytes.length + body.length];
        System.arraycopy(headBytes, 0, message, 0, headBytes.length);
        System.arraycopy(body, 0, message, headBytes.length, body.length);
        sent += message.length;
        socket.getOutputStream().write(message);
        return reply();
    }

    private HttpReply reply() throws IOException {
        String[] status = line().split(" ", 3);
        if (status.length < 2 || !status[0].equals("HTTP/1.1")) {
            throw new ProtocolException("no status line: " + String.join(" ", status));
        }
        Map<String, String> headers = new HashMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            if (colon < 1) {
                throw new ProtocolException("no header: " + line);
            }
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        int code = Integer.parseInt(status[1]);
        return new HttpReply(code, headers, code == 204 ? new byte[0] : body(headers));
    }

    private byte[] body(Map<String, String> headers) throws IOException {
        if (headers.getOrDefault("transfer-encoding", "").equals("chunked")) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            for (int size = chunkSize(); size > 0; size = chunkSize()) {
                body.write(exactly(size));
                line();
            }
            line();
            return body.toByteArray();
        }
        return exactly(Integer.parseInt(headers.getOrDefault("content-length", "0")));
    }

    private int chunkSize() throws IOException {
        return Integer.parseInt(line(), 16);
    }

    private byte[] exactly(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the connection ended in a body");
        }
        return bytes;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the connection ended");
            }
            if (line.length() > LONGEST_LINE) {
                throw new ProtocolException("a line is too long");
            }
            line.append((char) c);
        }
        int end = line.length();
        return end > 0 && line.charAt(end - 1) == '\r' ? line.substring(0, end - 1) : line.toString();
    }

    long sent() {
        return sent;
    }

    long received() {
        return received.count();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
