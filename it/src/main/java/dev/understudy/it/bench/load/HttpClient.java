package dev.understudy.it.bench.load;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One blocking HTTP connection that asks the same again and again. */
public final class HttpClient implements AutoCloseable {
    private static final Pattern LENGTH = Pattern.compile("content-length: *(\\d+)", Pattern.CASE_INSENSITIVE);
    private static final int PATIENCE_MILLIS = 30_000;

    private final Socket socket;
    private final byte[] request;
    private final boolean hasBody;
    private final byte[] buffer = new byte[64 * 1024];

    /**
     * Connects.
     *
     * @param patienceMillis for which a reply may be silent; then {@link #ask} fails
     */
    public HttpClient(InetSocketAddress server, Ask ask, int patienceMillis) throws IOException {
        socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(patienceMillis);
        try {
            socket.connect(server, patienceMillis);
        } catch (IOException refused) {
            socket.close();
            throw refused;
        }
        request = ask.bytes();
        hasBody = ask.repliesWithBody();
    }

    /** Connects to loopback, with much patience. */
    public HttpClient(int port, Ask ask) throws IOException {
        this(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ask, PATIENCE_MILLIS);
    }

    /** Asks and reads the whole reply; returns its body's length. */
    public long ask() throws IOException {
        socket.getOutputStream().write(request);
        InputStream in = socket.getInputStream();
        int filled = 0;
        int headEnd = -1;
        while (headEnd < 0) {
            int n = in.read(buffer, filled, buffer.length - filled);
            if (n < 0) {
                throw new EOFException("the connection ended within a reply's head");
            }
            filled += n;
            headEnd = headEnd(filled);
        }
        String head = new String(buffer, 0, headEnd, StandardCharsets.US_ASCII);
        Matcher length = LENGTH.matcher(head);
        if (!head.startsWith("HTTP/1.1 200") || !length.find()) {
            throw new IOException("not the file: " + head);
        }
        long body = hasBody ? Long.parseLong(length.group(1)) : 0;
        for (long left = body - (filled - headEnd); left > 0; ) {
            int n = in.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (n < 0) {
                throw new EOFException("the connection ended within a reply's body");
            }
            left -= n;
        }
        return body;
    }

    private int headEnd(int filled) {
        for (int i = 3; i < filled; i++) {
            if (buffer[i] == '\n' && buffer[i - 1] == '\r' && buffer[i - 2] == '\n') {
                return i + 1;
            }
        }
        return -1;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
