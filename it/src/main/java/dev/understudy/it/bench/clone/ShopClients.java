package dev.understudy.it.bench.clone;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A client of {@link AgedShop} that never stops asking, each time on a new connection. */
public final class ShopClients implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 60_000;

    private final Thread thread;
    private volatile boolean isOver;
    private volatile String problem = "";

    /** Starts it, with some pause between a reply and the next request. */
    public ShopClients(int port, long pauseMillis, String... paths) {
        thread = new Thread(() -> run(port, pauseMillis, paths), "shop-client");
        thread.start();
    }

    private void run(int port, long pauseMillis, String... paths) {
        for (int n = 0; !isOver; n++) {
            try {
                ask(port, paths[n % paths.length]);
            } catch (IOException failed) {
                problem = failed.toString();
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauseMillis));
        }
    }

    /** Asks once; the status of the reply. */
    public static int ask(int port, String path) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String reply = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            if (!reply.startsWith("HTTP/1.1 ")) {
                throw new IOException("no reply to " + path + ": " + reply);
            }
            return Integer.parseInt(reply.substring(9, 12));
        }
    }

    /** The last request that got no reply; "" if each got one. */
    public String problem() {
        return problem;
    }

    @Override
    public void close() {
        isOver = true;
        try {
            thread.join();
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }
}
