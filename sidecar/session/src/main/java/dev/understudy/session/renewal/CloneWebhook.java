package dev.understudy.session.renewal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the session's sidecar asks for a fresh copy. The sidecar has no right to make one: the session makes it, and no
 * sooner than its pause allows, whoever knows the address. On loopback of the target's network, with a secret in its
 * path. For any thread.
 */
public final class CloneWebhook implements AutoCloseable {
    /** Makes a fresh copy. */
    public interface CopyRenewal {
        /**
         * Makes it, and returns when it gets what clients send.
         *
         * @param epoch the sidecar's number of what begins with it
         * @param cause in a word, such as {@code periodic}
         * @throws IOException if that failed; the message says why, and whether there still is a copy
         */
        void renew(int epoch, String cause) throws IOException, InterruptedException;
    }

    private static final int LARGEST_BODY = 4 << 10;
    private static final int MOST_CALLS = 4;
    private static final int SECRET_BYTES = 24;

    static {
        // of Java's own server, in seconds: who sends no whole request doesn't hold a thread
        System.getProperties().putIfAbsent("sun.net.httpserver.maxReqTime", "10");
    }

    private final HttpServer server;
    private final ThreadPoolExecutor calls;
    private final URI address;
    private final Duration pause;
    private final LongSupplier nanos;
    private @Nullable CopyRenewal renewal; // guarded by this, as all below
    private boolean isBusy;
    private long lastNanos;

    private CloneWebhook(HttpServer server, String path, Duration pause, LongSupplier nanos) {
        this.server = server;
        this.pause = pause;
        this.nanos = nanos;
        this.lastNanos = nanos.getAsLong();
        this.address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
        this.calls = new ThreadPoolExecutor(1, MOST_CALLS, 1, TimeUnit.MINUTES, new SynchronousQueue<>(), work -> {
            Thread thread = new Thread(work, "understudy-renewal");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(calls);
        server.createContext(path, this::answer);
        server.start();
    }

    /**
     * Listens on a free port, and refuses until {@link #serve}.
     *
     * @param pause the least time between two copies; the first one counts
     */
    public static CloneWebhook open(Duration pause) throws IOException {
        return open(pause, System::nanoTime);
    }

    static CloneWebhook open(Duration pause, LongSupplier nanos) throws IOException {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        InetSocketAddress loopback = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0);
        return new CloneWebhook(
                HttpServer.create(loopback, MOST_CALLS), "/" + HexFormat.of().formatHex(secret), pause, nanos);
    }

    /** Where it is; a secret. */
    public URI address() {
        return address;
    }

    /** From now on copies are made. The pause before the next one begins. */
    public synchronized void serve(CopyRenewal made) {
        renewal = made;
        lastNanos = nanos.getAsLong();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readNBytes(LARGEST_BODY + 1);
            if (!exchange.getRequestMethod().equals("POST") || body.length > LARGEST_BODY) {
                reply(exchange, 400, "expected: a POST of at most " + LARGEST_BODY + " bytes");
                return;
            }
            CopyRenewal made = begin();
            if (made == null) {
                reply(
                        exchange,
                        429,
                        "no copy is made now: one is under way, or the last one is younger than " + pause.toSeconds()
                                + " s (--renew-pause)");
                return;
            }
            try {
                renew(exchange, made, body);
            } finally {
                end();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static void renew(HttpExchange exchange, CopyRenewal made, byte[] body)
            throws IOException, InterruptedException {
        JsonNode occasion;
        try {
            occasion = new ObjectMapper().readTree(body);
        } catch (IOException noJson) {
            occasion = new ObjectMapper().createObjectNode();
        }
        String cause = occasion.path("cause").asText();
        try {
            made.renew(occasion.path("epoch").asInt(), cause.matches("[A-Z]{1,20}") ? cause : "UNKNOWN");
        } catch (IOException failed) {
            reply(exchange, 500, String.valueOf(failed.getMessage()));
            return;
        }
        reply(exchange, 200, "done");
    }

    private synchronized @Nullable CopyRenewal begin() {
        if (renewal == null || isBusy || nanos.getAsLong() - lastNanos < pause.toNanos()) {
            return null;
        }
        isBusy = true;
        lastNanos = nanos.getAsLong();
        return renewal;
    }

    private synchronized void end() {
        isBusy = false;
    }

    private static void reply(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        calls.shutdownNow();
    }
}
