package dev.understudy.it.bench.subject;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A debug copy that counts the HTTP requests that it got whole, and answers each after a delay. */
public final class CopyServer implements Closeable {
    private static final Pattern LENGTH = Pattern.compile("content-length: *(\\d+)", Pattern.CASE_INSENSITIVE);
    private static final byte[] REPLY =
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket server = new ServerSocket(0, 4096, InetAddress.getLoopbackAddress());
    private final long delayMillis;
    private final LongAdder whole = new LongAdder();

    /** Listens at once. */
    public CopyServer(long delayMillis) throws IOException {
        this.delayMillis = delayMillis;
        daemon(this::accept);
    }

    /** Where it listens. */
    public int port() {
        return server.getLocalPort();
    }

    /** How many requests came with all their bytes, so far. */
    public long whole() {
        return whole.sum();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                daemon(() -> serve(socket));
            }
        } catch (IOException closed) {
            return;
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream(), 64 * 1024);
            for (String head = head(in); !head.isEmpty(); head = head(in)) {
                Matcher length = LENGTH.matcher(head);
                in.skipNBytes(length.find() ? Long.parseLong(length.group(1)) : 0);
                whole.increment();
                if (delayMillis > 0) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(delayMillis));
                }
                socket.getOutputStream().write(REPLY);
            }
        } catch (IOException gone) {
            return;
        }
    }

    /** All up to the empty line; nothing at the end of the stream. */
    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        for (int next = in.read(); next >= 0; next = in.read()) {
            head.append((char) next);
            if (next == '\n' && head.length() > 3 && head.lastIndexOf("\r\n\r\n") == head.length() - 4) {
                return head.toString();
            }
        }
        return "";
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "copy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
