package dev.understudy.agent.fork;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** Listens on loopback, counts what it accepts, and answers everybody that there is nothing. */
final class Destination implements Closeable {
    private final ServerSocket server;
    private final AtomicInteger accepted = new AtomicInteger();

    Destination() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        Thread thread = new Thread(this::serve);
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return server.getLocalPort();
    }

    int accepted() {
        return accepted.get();
    }

    /** Begins to count anew. */
    void forget() {
        accepted.set(0);
    }

    private void serve() {
        try {
            while (true) {
                try (Socket socket = server.accept()) {
                    accepted.incrementAndGet();
                    socket.getOutputStream()
                            .write("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
                }
            }
        } catch (IOException closed) {
            if (!server.isClosed()) {
                throw new UncheckedIOException(closed);
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
