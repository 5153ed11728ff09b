package dev.understudy.it.bench.clone;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients of a service, each with a counter of its own there and one request at a time on a connection of its own. Safe
 * for use by several threads.
 */
final class Clients implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 30_000;

    private final int port;
    private final AtomicLong asked = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong longest = new AtomicLong();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isOver;

    /**
     * Starts them.
     *
     * @param pauseMillis of each between a reply and its next request
     */
    Clients(int port, int number, long pauseMillis) throws IOException {
        this.port = port;
        for (int n = 0; n < number; n++) {
            String session = ask(port, "/login?user" + n);
            List<String> paths = List.of("/count?client" + n, "/me?" + session);
            Thread thread = new Thread(() -> run(paths, pauseMillis), "client-" + n);
            threads.add(thread);
            thread.start();
        }
    }

    private void run(List<String> paths, long pauseMillis) {
        for (int n = 0; !isOver; n++) {
            long begun = System.nanoTime();
            try {
                ask(port, paths.get(n % paths.size()));
            } catch (IOException e) {
                failed.incrementAndGet();
            }
            long took = System.nanoTime() - begun;
            longest.accumulateAndGet(took, Math::max);
            asked.incrementAndGet();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauseMillis));
        }
    }

    /** Replies, and requests that got none. */
    long asked() {
        return asked.get();
    }

    /** Requests that got no reply, or none of status 200. */
    long failed() {
        return failed.get();
    }

    /** The longest time from a request's connect to its reply's end, in seconds; counts anew from now on. */
    double longestSeconds() {
        return longest.getAndSet(0) / 1e9;
    }

    @Override
    public void close() {
        isOver = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static String ask(int port, String path) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String reply = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            if (!reply.startsWith("HTTP/1.1 200 ")) {
                throw new IOException("no good reply to " + path + ": " + reply);
            }
            return reply.substring(reply.indexOf("\r\n\r\n") + 4);
        }
    }
}
